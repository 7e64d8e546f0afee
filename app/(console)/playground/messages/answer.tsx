"use client";

import { lazy, Suspense } from "react";
import {
  hasContent,
  hasReceipt,
  isRunning,
  listToolItems,
  type Message,
  type ToolCall,
} from "@/components/playground/messages/message";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { Status } from "@/components/ui/status";
import { TaskReceipt } from "../media/task-receipt";
import type { PlaygroundRights } from "../playground-rights";
import { AnswerEnd } from "./answer-end";
import { PlainText } from "./plain-text";
import { Receipt } from "./receipt";
import { SchemaCheck } from "./schema-check";
import { ToolCalls } from "./tool-calls";

const AnswerMarkdown = lazy(() =>
  import("../markdown/answer-markdown").then((file) => ({ default: file.AnswerMarkdown })),
);

const Refusal = loadOnClient(() => import("./refusal").then((file) => file.Refusal));

const ToolItems = lazy(() => import("./tool-items").then((file) => ({ default: file.ToolItems })));

const MediaAnswer = lazy(() =>
  import("../media/media-answer").then((file) => ({ default: file.MediaAnswer })),
);

type AnswerProps = {
  message: Message;
  paneId: string;
  store: WorkbenchStore;
  /** Tool calls of this answer that have no reply yet. */
  openCalls: readonly ToolCall[];
  rights: PlaygroundRights;
  retry: (() => void) | undefined;
  /** True if the pane shows the receipt, below its conversation. */
  isLast: boolean;
};

/** An answer as it streams, and its receipt below once another message follows it. */
export function Answer({ message, paneId, store, openCalls, rights, retry, isLast }: AnswerProps) {
  const { text, thinking, toolCalls = [], output, call } = message;
  const running = isRunning(call);
  const toolItems = listToolItems(message);
  return (
    <>
      {call?.state === "waiting" && !output && (
        <p className="flex items-center gap-2 text-muted">
          <Spinner /> Waiting for the first word
        </p>
      )}
      {thinking && <Reasoning text={thinking} />}
      {output && (
        <Suspense fallback={null}>
          <MediaAnswer {...{ output, text }} />
        </Suspense>
      )}
      {text !== "" && !output && (
        <Suspense fallback={<PlainText text={text} />}>
          <AnswerMarkdown text={text} isLive={running} />
        </Suspense>
      )}
      {toolItems.length > 0 && (
        <Suspense fallback={null}>
          <ToolItems items={toolItems} />
        </Suspense>
      )}
      {toolCalls.length > 0 && <ToolCalls {...{ paneId, store, openCalls }} calls={toolCalls} />}
      {call?.state === "finished" && !hasContent(message) && !output && (
        <p className="text-muted">The model returned an empty answer.</p>
      )}
      {call?.state === "finished" && <AnswerEnd finishReason={call.finishReason} />}
      {call?.schema && !output && (call.state === "finished" || call.state === "answering") && (
        <SchemaCheck text={text} schema={call.schema} isLive={running} />
      )}
      {call?.state === "stopped" && <Status tone="neutral">Stopped</Status>}
      {call?.state === "stopped" && call.requestId === null && (
        <Notice>
          Stopped before the gateway answered. If the call had been sent on, it was charged for what the model
          wrote until then.
        </Notice>
      )}
      {call?.problem && (
        <Refusal
          {...{ problem: call.problem, model: call.model, retry }}
          rights={rights}
          isBroken={call.state === "broken"}
        />
      )}
      {output?.kind === "task" && !running && <TaskReceipt task={output.task} />}
      {call && !isLast && hasReceipt(message) && (
        <div className="border-t pt-1.5">
          <Receipt {...{ call, rights, store, paneId }} messageId={message.id} />
        </div>
      )}
    </>
  );
}

function Reasoning({ text }: { text: string }) {
  return (
    <details className="rounded-md border px-3 py-2 text-sm text-muted">
      <summary>Reasoning</summary>
      <p className="mt-2 break-words whitespace-pre-wrap">{text}</p>
    </details>
  );
}
