"use client";

import { useEffect, useMemo, useRef } from "react";
import { readRequestBody } from "@/app/(console)/requests/receipt/actions";
import { OpenInPlayground } from "@/components/playground/conversations/open-in-playground";
import { createWorkbenchFromCall } from "@/components/playground/panes/create-workbench-from-call";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";
import { CodeBlock } from "@/components/ui/text/code-block";
import { CopyButton } from "@/components/ui/text/copy-button";
import { ExactTime } from "@/components/ui/time/shown-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { readThinking } from "@/lib/contract/calls/read-answer";
import { isObject, parseJson } from "@/lib/contract/json-value";
import type { BodyMetadata, ReceiptBody, RequestBody } from "@/lib/contract/operations/calls/request-bodies";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";

/** The stored prompt and answer of a call. Loaded only on request. */
export function BodyPart({ receipt }: { receipt: RequestReceipt }) {
  const { id, body } = receipt;
  const reading = useAction(readRequestBody);
  const canRead = body.state === "whole" && body.is_readable;
  const problem = reading.error?.problem;
  return (
    <Part title="Prompt and answer">
      {body.metadata && (
        <Facts>
          {describeMetadata(body.metadata).map(([name, value]) => (
            <Fact key={name} name={name}>
              <span className="wrap-anywhere">{value}</span>
            </Fact>
          ))}
          {body.kept_until !== null && (
            <Fact name="Kept until">
              <ExactTime at={body.kept_until} />
            </Fact>
          )}
        </Facts>
      )}
      {reading.data ? (
        <>
          <BodyView body={reading.data} />
          {receipt.client?.endpoint !== "embeddings" && (
            <OpenWholeCall receipt={receipt} body={reading.data} />
          )}
        </>
      ) : (
        <p className="max-w-prose text-muted">{explainBody(body)}</p>
      )}
      {problem && (
        <Notice tone="bad" role="alert" title="They could not be read">
          {problem.message}
        </Notice>
      )}
      {canRead && !reading.data && (
        <div>
          <Button pending={reading.isPending} onClick={() => reading.mutate({ requestId: id })}>
            Read prompt and answer
          </Button>
        </div>
      )}
    </Part>
  );
}

type OpenWholeCallProps = { receipt: RequestReceipt; body: RequestBody };

/** Opens a call in the playground, from the body that was read. Sending there repeats the same call. */
function OpenWholeCall({ receipt, body }: OpenWholeCallProps) {
  const { endpoint: path } = receipt.client ?? {};
  const endpoint = path === "messages" || path === "responses" ? path : "chat_completions";
  const workbench = useMemo(() => createWorkbenchFromCall(body.request.text, endpoint), [body, endpoint]);
  return (
    <OpenInPlayground
      workbench={workbench}
      projectId={receipt.request.project_id}
      label="Open prompt in playground"
    />
  );
}

/** Explains why no more of a call's prompt and answer can be shown. */
function explainBody({ state, is_readable: isReadable }: ReceiptBody): string {
  switch (state) {
    case "off":
      return "The project didn’t store prompts and answers when this call was made.";
    case "metadata":
      return "The project keeps metadata alone: neither prompt nor answer.";
    case "expired":
      return "The project’s retention period for this call has ended, and its text was deleted.";
    case "pending":
      return "It is stored when the call ends.";
    case "lost":
      return "It could not be stored: the gateway was stopped or overloaded.";
    case "whole":
      return isReadable
        ? "The audit log will say that you read them."
        : "They are stored, but your role doesn’t let you read them. Ask an Owner for “Read prompts and answers”.";
  }
}

/** Returns names and values of a body's metadata, for display. */
function describeMetadata(metadata: BodyMetadata): (readonly [name: string, value: string])[] {
  const { parameters, tools, messages, choices, finish_reasons, tool_calls } = metadata;
  const facts: [string, string][] = [
    ["Messages", messages.map(describeMessages).join(", ")],
    [
      "Parameters",
      Object.entries(parameters)
        .map((entry) => entry.join(" "))
        .join(", "),
    ],
    ["Tools", tools.join(", ")],
    ["Request", describeBytes(metadata.request_bytes)],
    ["Answer", metadata.reply_bytes === null ? "none" : describeBytes(metadata.reply_bytes)],
    ["Choices", choices > 1 ? String(choices) : ""],
    ["Ended by", finish_reasons.join(", ")],
    ["Called", tool_calls.join(", ")],
  ];
  return facts.filter(([, value]) => value !== "");
}

function describeMessages({ role, messages, bytes, parts }: BodyMetadata["messages"][number]): string {
  const times = messages === 1 ? "" : ` × ${messages}`;
  return `${role}${times} (${[describeBytes(bytes), ...parts].join(", ")})`;
}

function describeBytes(bytes: number): string {
  return `${formatCount(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** Longer text isn't shown in full, but is copied in full. */
const MAX_SHOWN = 100_000;

/** Shows request and answer as a conversation and as stored JSON. */
function BodyView({ body }: { body: RequestBody }) {
  const { request, reply, redacted } = body;
  const region = useRef<HTMLDivElement>(null);
  // Takes the focus from the button that loaded it, which is gone.
  useEffect(() => region.current?.focus(), []);
  const conversation = useMemo(() => parseConversation(request.text, reply?.text ?? null), [request, reply]);
  const notes = [
    request.is_cut && "The request was too long to store completely and was cut.",
    reply?.is_cut && "The answer was too long to store completely and was cut.",
    redacted > 0 && `${redacted} ${redacted === 1 ? "passage was" : "passages were"} redacted.`,
  ].filter((note) => typeof note === "string");
  return (
    <div
      ref={region}
      tabIndex={-1}
      role="region"
      aria-label="Prompt and answer of this call"
      className="grid gap-3"
    >
      {notes.length > 0 && <p className="text-sm text-muted">{notes.join(" ")}</p>}
      <Tabs
        label="Prompt and answer as"
        tabs={[
          { id: "conversation", label: "Conversation", content: <Conversation said={conversation} /> },
          { id: "request", label: "Request JSON", content: <Json text={request.text} what="request" /> },
          {
            id: "answer",
            label: "Answer JSON",
            content: reply ? (
              <Json text={reply.text} what="answer" />
            ) : (
              <p className="text-muted">The call was not answered.</p>
            ),
          },
        ]}
      />
    </div>
  );
}

function Conversation({ said }: { said: readonly TranscriptMessage[] | null }) {
  if (!said)
    return <p className="text-muted">It can’t be shown as a conversation: see the request’s JSON.</p>;
  return (
    <ol className="grid gap-3">
      {said.map(({ role, text, reasoning, besides }, index) => (
        <li key={index} className="grid gap-1 rounded-md border bg-surface px-3 py-2.5">
          <div className="flex items-center justify-between gap-2">
            <span className="text-sm font-medium capitalize">{role}</span>
            {text !== "" && <CopyButton text={text} what={`text of ${role}`} />}
          </div>
          {reasoning && (
            <details className="text-sm text-muted">
              <summary>Reasoning</summary>
              <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{reasoning.slice(0, MAX_SHOWN)}</p>
            </details>
          )}
          {text !== "" && <p className="wrap-anywhere whitespace-pre-wrap">{text.slice(0, MAX_SHOWN)}</p>}
          {besides.map((line, at) => (
            <p key={at} className="font-mono text-sm wrap-anywhere text-muted">
              {line.slice(0, MAX_SHOWN)}
            </p>
          ))}
          {text === "" && !reasoning && besides.length === 0 && <p className="text-muted">No words.</p>}
        </li>
      ))}
    </ol>
  );
}

function Json({ text, what }: { text: string | null; what: string }) {
  const code = useMemo(() => (text === null ? null : indented(text)), [text]);
  if (code === null)
    return (
      <p className="text-muted">
        Its text is not stored: it was cut, is not JSON, or took too long, so the project’s patterns could not
        be applied.
      </p>
    );
  return <CodeBlock code={code.slice(0, MAX_SHOWN)} what={what} copied={text ?? code} />;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A message: its author, its text and other content. */
interface TranscriptMessage {
  readonly role: string;
  readonly text: string;
  /** What the model thought before; absent if nothing of it was shown. */
  readonly reasoning?: string;
  /** Descriptions of content that isn't text, such as images and tool calls. */
  readonly besides: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a conversation from request and reply JSON, in the format of chats, of messages or of responses. Null if the
 * request can't be parsed, for example because it was truncated.
 */
export function parseConversation(request: string | null, reply: string | null): TranscriptMessage[] | null {
  const asked = parseFields(request);
  const { messages = listItems(asked.input) } = asked;
  if (!Array.isArray(messages)) return null;
  const instructions = asked.system ?? asked.instructions;
  const system = instructions ? [{ role: "system", content: instructions }] : [];
  const answer = parseFields(reply);
  const choices = toList(answer.choices).map((choice) => toFields(toFields(choice).message));
  const said = [...system, ...messages.map(toFields), ...choices, ...toList(answer.output).map(toFields)];
  return said.map((message) => readItem(message) ?? toSaid(message));
}

function withReasoning(reasoning: string): Pick<TranscriptMessage, "reasoning"> {
  return reasoning === "" ? {} : { reasoning };
}

/** The items of a response's input, which may be a text. */
function listItems(input: unknown): unknown {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

/** An item of a response that is no message; null for anything else. */
function readItem({ type, role, ...item }: Fields): TranscriptMessage | null {
  if (typeof type !== "string" || type === "message" || role !== undefined) return null;
  if (type.endsWith("_output")) return { role: "tool", text: readText(item.output), besides: [] };
  if (type !== "reasoning") return { role: "assistant", text: "", besides: [describeCall(type, item)] };
  const thought = readReasoning(item);
  const besides = thought === "" ? ["Reasoning that isn’t shown"] : [];
  return { role: "assistant", text: "", ...withReasoning(thought), besides };
}

function readReasoning({ summary, content }: Fields): string {
  const texts = [...toList(summary), ...toList(content)].map((part) => toFields(part).text);
  return texts.filter((text) => typeof text === "string").join("\n\n");
}

function describeCall(type: string, { name, arguments: json, input, action, operation }: Fields): string {
  const given = json ?? input ?? action ?? operation;
  if (given === undefined) return `An item of type ${type}`;
  return `Calls ${typeof name === "string" ? name : type.replace(/_call$/, "")} with ${readText(given)}`;
}

function toSaid(message: Fields): TranscriptMessage {
  const { role, content, tool_calls, refusal } = message;
  const thinking = readThinking(message);
  const parts =
    typeof content === "string" ? [{ type: "text", text: content }] : toList(content).map(toFields);
  const texts = parts.flatMap(({ text, refusal: refused = text }) =>
    typeof refused === "string" ? [refused] : [],
  );
  const others = parts.filter(
    ({ text, refusal: refused = text, type }) =>
      typeof refused !== "string" && !(thinking && type === "thinking"),
  );
  return {
    role: typeof role === "string" ? role : "assistant",
    text: [...texts, ...(typeof refusal === "string" ? [refusal] : [])].join("\n\n"),
    ...withReasoning(thinking),
    besides: [...others.map(describePart), ...toList(tool_calls).map(describeToolCall)],
  };
}

function describePart({ type, name, input, content }: Fields): string {
  if (type === "tool_use") return `Calls ${String(name)} with ${JSON.stringify(input)}`;
  if (type === "tool_result") return `Result of a tool: ${readText(content)}`;
  return typeof type === "string" ? `A part of type ${type}` : "A part without a type";
}

function describeToolCall(call: unknown): string {
  const { function: called, type } = toFields(call);
  const { name, arguments: given } = toFields(called);
  return typeof name === "string" ? `Calls ${name} with ${String(given)}` : `A call of type ${String(type)}`;
}

function readText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function parseFields(text: string | null): Fields {
  return toFields(parseJson(text ?? ""));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}
