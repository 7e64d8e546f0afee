"use client";

import { Ellipsis, Pencil } from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useEffectEvent, useRef, useState } from "react";
import { AttachmentList } from "@/app/(console)/playground/attachments/attachment-list";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import { VariableText } from "@/app/(console)/playground/variables/variable-text";
import { hasContent, isRunning, type Message, type ToolCall } from "@/components/playground/messages/message";
import { insertBelow, moveMessage, withMessage, withoutMessage } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { isComposing } from "@/components/ui/browser/is-composing";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { confirmLeave, registerUnsaved, type UnsavedInput } from "@/components/ui/dialog/unsaved";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu/menu";
import { CopyButton } from "@/components/ui/text/copy-button";
import { copyOutcomes, copyText } from "@/components/ui/text/copy-text";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import { Answer, SandboxMark } from "./answer";

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
                  {role === "tool" ? "Tool result: " : "You: "}
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

type MessageEditorProps = {
  text: string;
  save: (text: string) => void;
  /** Undefined if no answer can be requested from this message. */
  saveAndAnswer: ((text: string) => void) | undefined;
  cancel: () => void;
};

/** Edits a message in place. Escape cancels. What was typed is discarded only after a question. */
function MessageEditor({ text: before, save, saveAndAnswer, cancel }: MessageEditorProps) {
  const [text, setText] = useState(before);
  const leave = useConfirmedCancel(text !== before, cancel);
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      (saveAndAnswer ?? save)(text);
    }
  }
  return (
    <div className="grid w-full gap-2">
      <textarea
        aria-label="Text of the message"
        value={text}
        ref={focus}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="field field-sizing-content max-h-80 min-h-16 py-2"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" variant="ghost" onClick={leave}>
          Cancel
        </Button>
        <Button size="small" onClick={() => save(text)}>
          Save
        </Button>
        {saveAndAnswer && (
          <Button size="small" variant="primary" onClick={() => saveAndAnswer(text)}>
            Save and answer again
          </Button>
        )}
      </div>
    </div>
  );
}

/**
 * Registers an edited text as unsaved.
 * @returns a function that cancels, which asks first.
 */
function useConfirmedCancel(isEdited: boolean, cancel: () => void): () => void {
  const unsaved = useRef<UnsavedInput | null>(null);
  const describe = useEffectEvent(() =>
    isEdited ? { title: "Discard the edited message?", text: "You changed its text without saving." } : null,
  );
  const discard = useEffectEvent(cancel);
  useEffect(() => {
    const input = { dialog: null, describe: () => describe(), discard: () => discard() };
    unsaved.current = input;
    return registerUnsaved(input);
  }, []);
  return () => (unsaved.current ? confirmLeave(cancel, unsaved.current) : cancel());
}

/** Takes over the focus of the button that it replaces. */
function focus(element: HTMLTextAreaElement | null): void {
  element?.focus();
}

type MessageToolsProps = {
  store: WorkbenchStore;
  paneId: string;
  message: Message;
  /** Undefined for an answer without text, which can't be edited. */
  edit: (() => void) | undefined;
  showRaw: () => void;
};

/** The actions on a message, available while no answer is streaming. */
function MessageTools({ store, paneId, message, edit, showRaw }: MessageToolsProps) {
  const { id, role, call } = message;
  const whose = role === "assistant" ? "answer" : "message";
  const answerAgain = () => void store.answerAgain(paneId, id);
  const move = (by: -1 | 1) => store.changePane(paneId, (pane) => moveMessage(pane, id, by));
  const add = (by: "user" | "assistant") => store.changePane(paneId, (pane) => insertBelow(pane, id, by));
  return (
    <span className="flex shrink-0 items-center">
      {role === "assistant" && message.text !== "" && <CopyButton text={message.text} what="answer" />}
      {edit && <IconButton size="small" label={`Edit ${whose}`} icon={<Pencil />} onClick={edit} />}
      <Menu
        label={`More for this ${whose}`}
        trigger={<Ellipsis className="size-4" />}
        triggerClassName="inline-grid size-6 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11"
        align="end"
        sections={[
          {
            entries: [
              { id: "again", label: "Answer again from here", onSelect: answerAgain },
              ...(hasContent(message)
                ? [{ id: "copy", label: "Copy text", onSelect: () => void copyWithToast(message.text) }]
                : []),
              ...(call ? [{ id: "raw", label: "Request and reply", onSelect: showRaw }] : []),
            ],
          },
          {
            entries: [
              { id: "write-message", label: "Add a message below", onSelect: () => add("user") },
              { id: "write-answer", label: "Add an answer below", onSelect: () => add("assistant") },
            ],
          },
          {
            entries: [
              { id: "up", label: "Move up", onSelect: () => move(-1) },
              { id: "down", label: "Move down", onSelect: () => move(1) },
              {
                id: "delete",
                label: "Delete",
                danger: true,
                onSelect: () => store.changePane(paneId, (pane) => withoutMessage(pane, id)),
              },
            ],
          },
        ]}
      />
    </span>
  );
}

/** Copies text from an entry of a menu, which is gone by the time that the outcome is known. */
export async function copyWithToast(text: string, copy = copyText): Promise<void> {
  const isCopied = await copy(text);
  toast(isCopied ? { message: copyOutcomes.copied } : { message: copyOutcomes.refused, tone: "bad" });
}
