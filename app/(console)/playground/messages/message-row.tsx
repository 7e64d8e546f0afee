"use client";

import { memo, useState } from "react";
import { isRunning, type Message, type ToolCall } from "@/components/playground/messages/message";
import { withMessage, withoutMessage } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import { AttachmentList } from "../attachments/attachment-list";
import type { PlaygroundRights } from "../playground-rights";
import { VariableText } from "../variables/variable-text";
import { Answer } from "./answer";
import { MessageEditor } from "./message-editor";
import { MessageTools } from "./message-tools";
import { SandboxMark } from "./sandbox-mark";

const RawDialog = loadOnClient(() => import("./raw-dialog").then((file) => file.RawDialog));

type MessageRowProps = {
  message: Message;
  paneId: string;
  store: WorkbenchStore;
  rights: PlaygroundRights;
  /** Whether a sandbox answered, other than the one that the head of the pane names. */
  isSandbox: boolean;
  /** The values of the variables in written messages. */
  values: VariableValues;
  openCalls: readonly ToolCall[];
  isLast: boolean;
  /** True while an answer is streaming in this pane. */
  isBusy: boolean;
};

/** One message of a conversation. Memoized, so that finished messages aren't rendered again while an answer streams. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, paneId, store, isSandbox, values, isLast, isBusy } = props;
  const { id, role, text, call, attachments = [] } = message;
  const isAdded = isBlank(message);
  const [isEditing, setIsEditing] = useState(isAdded);
  const [isRawShown, setIsRawShown] = useState(false);

  const save = (next: string) => {
    setIsEditing(false);
    store.changePane(paneId, (pane) => withMessage(pane, id, (one) => rewrite(one, next)));
  };
  const cancel = () => {
    setIsEditing(false);
    if (isAdded) store.changePane(paneId, (pane) => withoutMessage(pane, id));
  };
  const saveAndAnswer = (next: string) => {
    save(next);
    void store.answerAgain(paneId, id);
  };
  const retry = isLast && !isBusy ? () => void store.answerAgain(paneId, id) : undefined;
  const tools = !isBusy && !isEditing && (
    <MessageTools
      {...{ store, paneId, message }}
      edit={message.output ? undefined : () => setIsEditing(true)}
      showRaw={() => setIsRawShown(true)}
    />
  );
  const editor = isEditing && (
    <MessageEditor
      {...{ text, save }}
      saveAndAnswer={role === "assistant" ? undefined : saveAndAnswer}
      cancel={cancel}
    />
  );
  return (
    <li>
      {role === "assistant" ? (
        <article
          className="grid gap-2.5"
          aria-label={call ? `Answer of ${call.model}` : "Answer written by hand"}
        >
          <header className="flex min-h-6 items-center justify-between gap-2">
            <h2 className="sr-only">{call ? `Answer of ${call.model}` : "Answer written by hand"}</h2>
            <span className="min-w-0 text-sm text-muted">
              {call ? isSandbox && <SandboxMark /> : "Written by hand; the model continues from here"}
            </span>
            {!isRunning(call) && tools}
          </header>
          {editor || <Answer {...props} retry={retry} />}
        </article>
      ) : (
        <div className="grid gap-2 rounded-md bg-default px-3 py-2">
          <div className="flex items-start gap-2">
            {editor || (
              <p className="min-w-0 flex-1 leading-6 break-words whitespace-pre-wrap">
                <span className={role === "tool" ? "text-sm text-muted" : "sr-only"}>
                  {role === "tool" ? "Tool answered: " : "You: "}
                </span>
                <VariableText text={text} values={message.values ?? values} />
              </p>
            )}
            {tools}
          </div>
          <AttachmentList attachments={attachments} />
        </div>
      )}
      {isRawShown && call && <RawDialog call={call} close={() => setIsRawShown(false)} />}
    </li>
  );
});

/** What is written anew has the present values of its variables until it is sent. */
function rewrite(message: Message, text: string): Message {
  return { ...message, text, values: undefined };
}

/** A message that was added to be written begins with its editor. */
function isBlank({ call, role, text, attachments = [] }: Message): boolean {
  return !call && role !== "tool" && text === "" && attachments.length === 0;
}
