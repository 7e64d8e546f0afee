"use client";

import { FlaskConical } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { TaskReceipt } from "@/app/(console)/playground/media/task-receipt";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import {
  hasContent,
  hasReceipt,
  isRunning,
  listOpenToolCalls,
  listToolItems,
  type Message,
  type ToolCall,
} from "@/components/playground/messages/message";
import { withToolReply } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { Status } from "@/components/ui/status";
import { CodeBlock } from "@/components/ui/text/code-block";
import { TextPieces } from "@/components/ui/text/text-pieces";
import { parseJson } from "@/lib/contract/json-value";
import { Receipt } from "./receipt";

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

/** By the reasons of chat completions, messages and responses. */
const ends: ReadonlyMap<string | null, readonly [name: string, sentence: string]> = new Map([
  ["length", ["Cut off", "The answer reached its limit of output tokens."]],
  ["max_tokens", ["Cut off", "The answer reached its limit of output tokens."]],
  ["max_output_tokens", ["Cut off", "The answer reached its limit of output tokens."]],
  ["incomplete", ["Incomplete", "The provider ended the answer early, without a reason."]],
  ["content_filter", ["Filtered", "The provider left out the rest of the answer."]],
  ["refusal", ["Declined", "The model declined to go on."]],
]);

/** Says that a finished answer may lack something, and why. Renders nothing for a whole one. */
export function AnswerEnd({ finishReason }: { finishReason: string | null }) {
  const end = ends.get(finishReason);
  if (!end) return null;
  const [name, sentence] = end;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
      <Status tone="near">{name}</Status>
      {sentence}
    </p>
  );
}

type ToolCallsProps = {
  calls: readonly ToolCall[];
  openCalls: readonly ToolCall[];
  paneId: string;
  store: WorkbenchStore;
};

/** The tool calls of an answer with their arguments, and a field for each reply. */
function ToolCalls({ calls, openCalls, paneId, store }: ToolCallsProps) {
  return (
    <ul className="grid gap-3" aria-label="Tool calls">
      {calls.map((call) => (
        <li key={call.id} className="grid gap-2 rounded-md border p-3">
          <p className="text-sm">
            Calls <code className="font-mono font-medium">{call.name}</code>
          </p>
          <CodeBlock code={tidy(call.arguments)} what="arguments" />
          {openCalls.includes(call) && <Reply {...{ call, paneId, store }} />}
        </li>
      ))}
    </ul>
  );
}

function Reply({ call, paneId, store }: { call: ToolCall; paneId: string; store: WorkbenchStore }) {
  const id = useId();
  const [text, setText] = useState("");
  function answer() {
    store.changePane(paneId, (one) => withToolReply(one, call.id, text));
    const now = store.findPane(paneId);
    if (now && listOpenToolCalls(now.messages).length === 0) void store.answer(paneId);
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        Result of {call.name}
      </label>
      <textarea
        id={id}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="field field-sizing-content min-h-12 py-1.5 font-mono text-sm"
      />
      <Button size="small" className="justify-self-start" onClick={answer}>
        Send result
      </Button>
    </div>
  );
}

/** Indents valid JSON. Returns other text unchanged, such as incomplete JSON. */
function tidy(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

type SchemaCheckProps = {
  text: string;
  schema: string;
  /** True while the answer is streaming. Only violations that no further text can repair are shown then. */
  isLive: boolean;
};

/** Parsing and checking a long answer takes a few milliseconds, so it isn't done for every token. */
const CHECK_EVERY_MS = 200;

interface Checked {
  readonly fault: string | null;
  readonly isLive: boolean;
}

/** Shows whether an answer is JSON that matches the requested schema, also while it streams. */
function SchemaCheck({ text, schema, isLive }: SchemaCheckProps) {
  const [checked, setChecked] = useState<Checked>();
  const isChecking = useRef(false);
  const checkSoFar = useEffectEvent(async () => {
    // A check that takes longer than the interval delays the next one.
    if (isChecking.current) return;
    isChecking.current = true;
    const next = await check({ text, schema, isLive: true });
    isChecking.current = false;
    // The complete answer may have been checked in the meantime.
    setChecked((before) => (before && (!before.isLive || before.fault === next.fault) ? before : next));
  });
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => void checkSoFar(), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  useEffect(() => {
    if (isLive) return;
    let isGone = false;
    const checkWhole = async () => {
      const next = await check({ text, schema, isLive });
      if (!isGone) setChecked(next);
    };
    void checkWhole();
    return () => {
      isGone = true;
    };
  }, [text, schema, isLive]);
  if (!checked) return null;
  if (checked.fault === null)
    return (
      <Status tone="good">{checked.isLive ? "Fits the JSON schema so far" : "Fits the JSON schema"}</Status>
    );
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Status tone="bad">{checked.isLive ? "Breaks the JSON schema" : "Does not fit the JSON schema"}</Status>
      <span className="min-w-0 break-words text-muted">{checked.fault}</span>
    </p>
  );
}

async function check({ text, schema, isLive }: SchemaCheckProps): Promise<Checked> {
  // Loaded on demand, since few conversations use a schema.
  const { checkOnThread } = await import("@/components/playground/messages/check-on-thread");
  return { fault: await checkOnThread({ text, schema, isLive }), isLive };
}

/** A browser takes seconds to break a longer word where it fits best, but not to break it anywhere. */
const LONG_WORD = /\S{1000}/;

/** Text as it is written, of any length. */
export function PlainText({ text }: { text: string }) {
  return (
    <p
      className={classNames(
        "leading-6 whitespace-pre-wrap",
        LONG_WORD.test(text) ? "break-all" : "break-words",
      )}
    >
      <TextPieces text={text} cutsLines />
    </p>
  );
}

/**
 * Marks output of a sandbox model, so that nobody takes it for a real model's. In a narrow container, such as one of
 * three panes, the icon stands alone.
 */
export function SandboxMark() {
  return (
    <span title="Sandbox, not an AI" className="inline-flex">
      <Status tone="near" icon={FlaskConical}>
        <span className="@max-sm:sr-only">Sandbox, not an AI</span>
      </Status>
    </span>
  );
}
