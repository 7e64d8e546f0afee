import { createProblem, type Problem } from "@/lib/console/gateway/problem";
import type { ChatEvent, MediaOutput, OutputItem, RawReply } from "@/lib/console/streaming/chat-event";
import type { StoredAnswer } from "@/lib/console/streaming/stream-chat";
import type { Task } from "@/lib/contract/operations/tasks/task";

/** An image, document, recording or text file attached to a message. */
export interface Attachment {
  readonly name: string;
  readonly mimeType: string;
  /** Base64 without a data URL prefix; for text files, the text. */
  readonly data: string;
  readonly kind: "image" | "document" | "text" | "audio";
  /** The length of a recording; absent where the browser can't tell. */
  readonly seconds?: number | undefined;
  /** How closely the model looks at an image, as a program set it; chat completions only. */
  readonly detail?: string | undefined;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it, possibly invalid. */
  readonly arguments: string;
  /** The index that the pieces of a streamed call name it by. */
  readonly index?: number;
}

interface CallUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Those of the prompt that were read from a cache, and of the answer that are reasoning; absent for none. */
  readonly cachedTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** The state of the call that produced an answer. */
export interface CallState {
  readonly model: string;
  /**
   * `waiting` for the first token → `answering` → `finished`. `stopped`: by the person. `refused`: failed before the
   * first token. `broken`: failed after it.
   */
  readonly state: "waiting" | "answering" | "finished" | "stopped" | "refused" | "broken";
  readonly requestId: string | null;
  /** The output limit that the gateway set: the model's, or what the balance covers; null if it changed nothing. */
  readonly loweredTo: number | null;
  readonly usage: CallUsage | null;
  readonly finishReason: string | null;
  /** Milliseconds since the call was sent, measured in this browser. */
  readonly firstWordMs: number | null;
  readonly totalMs: number | null;
  readonly problem: Problem | null;
  /** The charge; null until it is known. */
  readonly charge: { readonly amount: string; readonly currency: string } | null;
  /** The request body as it was sent. */
  readonly request: object | null;
  readonly reply: RawReply | null;
  /** The JSON schema that the answer was asked to fit. */
  readonly schema?: string | undefined;
  /** Set if the gateway stores the answer and continues the call when this page is left. */
  readonly keptAs?: StoredAnswer | undefined;
}

export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  /** The values of its variables when it was sent. Absent until then, and if it has no variables. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly thinking?: string;
  readonly attachments?: readonly Attachment[];
  /** How many attachments are sent before the text; absent for none. */
  readonly textAt?: number | undefined;
  readonly toolCalls?: readonly ToolCall[];
  /** Of a response: sealed reasoning, which is sent back, and what tools of other kinds did. */
  readonly items?: readonly OutputItem[] | undefined;
  /** The id of the tool call that a tool's message answers. */
  readonly toolCallId?: string;
  /** The answer of a model that isn't a chat model. */
  readonly output?: MediaOutput | undefined;
  /** The call whose answer this is. An assistant message without it was written by hand. */
  readonly call?: CallState;
}

export function newCallState(model: string, request: object | null, keptAs?: StoredAnswer): CallState {
  return {
    model,
    state: "waiting",
    requestId: null,
    loweredTo: null,
    usage: null,
    finishReason: null,
    firstWordMs: null,
    totalMs: null,
    problem: null,
    charge: null,
    request,
    reply: null,
    ...(keptAs && { keptAs }),
  };
}

/** The answer of a call that can't be sent. */
export function refusedMessage(id: string, model: string, reason: string): Message {
  const problem = createProblem("invalid", reason);
  return {
    id,
    role: "assistant",
    text: "",
    call: { ...newCallState(model, null), state: "refused", problem },
  };
}

/** Resets a message whose stored answer is read again from its first event. */
export function resetAnswer({ id, role, call }: Message): Message {
  if (!call) return { id, role, text: "" };
  const { model, request, keptAs, schema } = call;
  return { id, role, text: "", call: { ...newCallState(model, request, keptAs), ...(schema && { schema }) } };
}

export function isRunning(call: CallState | undefined): boolean {
  return call?.state === "waiting" || call?.state === "answering";
}

/** Applies the next event of an answer to its message. `elapsedMs` is the time since the call was sent. */
export function applyEvent(message: Message, event: ChatEvent, elapsedMs: number): Message {
  const { call } = message;
  if (!call) return message;
  const firstWordMs = call.firstWordMs ?? elapsedMs;
  switch (event.type) {
    case "start":
      return withStart(message, call, event);
    case "text":
      return {
        ...message,
        text: message.text + event.text,
        call: { ...call, state: "answering", firstWordMs },
      };
    case "thinking":
      return {
        ...message,
        thinking: (message.thinking ?? "") + event.text,
        call: { ...call, state: "answering", firstWordMs },
      };
    case "tool_call":
      return {
        ...message,
        toolCalls: withPiece(message.toolCalls ?? [], event),
        call: { ...call, state: "answering", firstWordMs },
      };
    case "item":
      return {
        ...message,
        items: [...(message.items ?? []), event.item],
        call: { ...call, state: "answering", firstWordMs },
      };
    case "output":
      return withOutput(message, call, event.output, elapsedMs);
    case "finish":
      return { ...message, call: { ...call, finishReason: event.reason } };
    case "usage":
      return { ...message, call: { ...call, usage: toUsage(event) } };
    case "reply":
      return { ...message, call: { ...call, reply: event.reply } };
    case "problem":
      return {
        ...message,
        call: {
          ...call,
          state: hasBegun(message, call) ? "broken" : "refused",
          requestId: call.requestId ?? event.problem.requestId,
          problem: event.problem,
          totalMs: elapsedMs,
        },
      };
  }
}

function toUsage(event: Extract<ChatEvent, { type: "usage" }>): CallUsage {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = event;
  return {
    promptTokens,
    completionTokens,
    ...(cachedTokens && { cachedTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  };
}

/** A stored answer that is read again comes from its first event. */
function withStart(message: Message, call: CallState, event: Extract<ChatEvent, { type: "start" }>): Message {
  const begun = call.keptAs ? resetAnswer(message) : message;
  return {
    ...begun,
    call: { ...(begun.call ?? call), requestId: event.requestId, loweredTo: event.maxTokens },
  };
}

/** Whether a call was admitted, as its reply's start says, so that it may have been charged. */
function hasBegun(message: Message, { requestId, firstWordMs }: CallState): boolean {
  return requestId !== null || firstWordMs !== null || hasContent(message) || message.output !== undefined;
}

function withOutput(message: Message, call: CallState, output: MediaOutput, elapsedMs: number): Message {
  if (output.kind !== "task") return { ...message, output, call: { ...call, state: "answering" } };
  const { status, error, request_id: requestId, usage } = output.task;
  const charge = usage && { amount: usage.amount, currency: usage.currency };
  const state = taskStates[status];
  const problem = state === "broken" ? createProblem("failed", error?.message ?? "It failed.") : null;
  const totalMs = output.task.ended_at === null ? null : elapsedMs;
  return { ...message, output, call: { ...call, state, problem, totalMs, requestId, charge } };
}

const taskStates = {
  queued: "waiting",
  running: "answering",
  succeeded: "finished",
  failed: "broken",
  canceled: "stopped",
} as const;

/** The task of a message while the gateway works on it; null if there is none. */
export function runningTask({ output, call }: Message): Task | null {
  return isRunning(call) && output?.kind === "task" ? output.task : null;
}

/** Ends the message of a running call. Has no effect if the call has ended already. */
export function end(message: Message, state: "finished" | "stopped", elapsedMs: number): Message {
  const { call } = message;
  return call && isRunning(call) ? { ...message, call: { ...call, state, totalMs: elapsedMs } } : message;
}

/** Returns whether an answer has ended with figures of its own. A task has them in its result, a refusal has none. */
export function hasReceipt({ call, output }: Message): boolean {
  return call !== undefined && !isRunning(call) && call.state !== "refused" && output?.kind !== "task";
}

/** Returns whether any text or tool call of the answer has arrived. */
export function hasContent(message: Message): boolean {
  const { text, toolCalls = [] } = message;
  return text !== "" || toolCalls.length > 0 || listToolItems(message).length > 0;
}

/** The items of tools that the provider ran, or that have a form of their own. */
export function listToolItems({ items = [] }: Message): readonly OutputItem[] {
  return items.filter(({ type }) => type !== "reasoning");
}

/** Returns the tool calls of the latest message with tool calls that have no reply yet. */
export function listOpenToolCalls(messages: readonly Message[]): readonly ToolCall[] {
  const at = messages.findLastIndex(({ toolCalls = [] }) => toolCalls.length > 0);
  const answered = new Set(messages.slice(at + 1).map(({ toolCallId }) => toolCallId));
  return (messages[at]?.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}

type Piece = Extract<ChatEvent, { type: "tool_call" }>;

/** Merges a streamed piece into its call. Pieces of several calls can alternate; a call stays where it began. */
function withPiece(calls: readonly ToolCall[], piece: Piece): readonly ToolCall[] {
  const at = findCall(calls, piece);
  const call = calls[at];
  if (call) return calls.with(at, { ...call, arguments: call.arguments + piece.arguments });
  const { index, id, name } = piece;
  return [
    ...calls,
    { index, id: id || `call_${calls.length}`, name: name ?? "", arguments: piece.arguments },
  ];
}

/** The call that a piece belongs to; -1 if it begins one. Only the first piece of a call has to have its id. */
function findCall(calls: readonly ToolCall[], { id, name, index }: Piece): number {
  if (id) return calls.findIndex((call) => call.id === id);
  const same = calls.findLastIndex((call) => call.index === index);
  return same < 0 && name === null ? calls.length - 1 : same;
}

/** Returns the number of characters of a message with its files, without making its body. */
export function countMessageCharacters({
  text,
  attachments = [],
}: Pick<Message, "text" | "attachments">): number {
  return attachments.reduce((sum, { data }) => sum + data.length, text.length);
}

/** Whether a recording was too large to be saved with its conversation, so that only its name is left. */
export function isLostRecording({ kind, data }: Attachment): boolean {
  return kind === "audio" && data === "";
}

/** Why these messages can't be sent, as a sentence, if a recording of theirs is lost; otherwise null. */
export function findLostRecording(messages: readonly Pick<Message, "attachments">[]): string | null {
  const lost = messages.flatMap(({ attachments = [] }) => attachments).find(isLostRecording);
  if (!lost) return null;
  return `${lost.name} is no longer here: larger recordings are not kept with a conversation. Delete its message, or attach it again.`;
}
