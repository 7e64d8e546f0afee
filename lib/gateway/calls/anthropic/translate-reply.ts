import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { parseBounded } from "../../http/json";
import {
  type ChoiceEnd,
  describeStop,
  type StreamedBlock,
  toAnthropicUsage,
  toCallId,
  toMessageId,
} from "./message-blocks";
import { takeFreeId } from "./receiver-bounds";
import { ReturnedParts, sealCallId } from "./returned-parts";
import type { MessageFacts } from "./translate-request";

export interface ChatCompletion {
  readonly service_tier?: unknown;
  readonly choices: readonly (ChoiceEnd & {
    readonly message?: null | {
      readonly content?: unknown;
      readonly refusal?: unknown;
      readonly reasoning_content?: unknown;
      readonly reasoning?: unknown;
      readonly tool_calls?: null | readonly { id: string; function: { name: string; arguments: unknown } }[];
    };
    readonly finish_reason: string | null;
  })[];
  readonly usage: unknown;
}

/** Facts about a reply that are not in the completion. */
export interface MessageReply extends MessageFacts {
  readonly requestId: string;
  /** The name of the model that was asked for. */
  readonly model: string;
  /** The server that gives it, as seals name it. */
  readonly origin: string;
}

/** Translates a chat completion to a Message. Of several choices it uses the first. */
export function translateReply(completion: ChatCompletion, reply: MessageReply): object {
  const { requestId, model, origin, toolNames, stops } = reply;
  const choice = completion.choices[0];
  const message = choice?.message ?? {};
  const { tool_calls, refusal } = message;
  const text = readText(message);
  const thinking = createThinkingBlock(message, reply);
  const usedIds = new Set(reply.callIds);
  const nameCall = (id: string, position: number) =>
    takeFreeId(id || `${toCallId(requestId)}_${position + 1}`, usedIds);
  return {
    id: toMessageId(requestId),
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(thinking ? [thinking] : []),
      ...(text ? [{ type: "text", text }] : []),
      ...(tool_calls ?? []).map((call, position) => ({
        type: "tool_use",
        id: sealCallId(nameCall(call.id, position), call, origin),
        name: toolNames[call.function.name] ?? call.function.name,
        input: parseInput(readArguments(call.function.arguments)),
      })),
    ],
    ...describeStop(choice ?? {}, {
      stops,
      callsTools: Boolean(tool_calls?.length),
      isRefused: Boolean(refusal),
    }),
    usage: toAnthropicUsage(completion.usage, completion.service_tier),
  };
}

/** The thinking before the answer, with the seal of what its provider wants again; null where there is none. */
function createThinkingBlock(
  message: object,
  { thinking: view, hasTools, origin }: MessageReply,
): object | null {
  const parts = new ReturnedParts(origin, view !== "shown");
  parts.note(message);
  if (parts.isEmpty || (view === "off" && !hasTools)) return null;
  const seal = parts.take();
  const thinking = view === "shown" ? readThinking(message) : "";
  return thinking || view === "omitted"
    ? { type: "thinking", thinking, signature: seal }
    : { type: "redacted_thinking", data: seal };
}

/** Models write a tool's input as JSON text, sometimes invalid: such text becomes the field `input`. */
function parseInput(json: string): unknown {
  try {
    return parseBounded(json || "{}");
  } catch {
    return { input: json };
  }
}

/** A piece of a tool call in a chunk. Some servers leave out the index, and others give every call the same one. */
export interface ToolCallPiece {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: unknown };
}

/** The maximum number of tool calls in one message. */
export const MAX_TOOL_CALLS = 256;

/** The JSON of a call's arguments. Some servers send an object in its place. */
export function readArguments(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}

/** How the calls of one message are written. */
interface CallNaming {
  /** The beginning of the ids of calls that have none. */
  readonly callId: string;
  readonly origin: string;
  /** The caller's names of tools, by those that the receiver got, where they differ. */
  readonly toolNames: Readonly<Record<string, string>>;
  /** The ids of the conversation's earlier calls. */
  readonly callIds: readonly string[];
}

/** Finds the block to which each piece of a tool call belongs. */
export class ToolCallBlocks {
  readonly #blocks = new Map<number, { readonly id: string | undefined; readonly block: StreamedBlock }>();
  #last = -1;
  #count = 0;
  readonly #usedIds: Set<string>;

  constructor(private readonly naming: CallNaming) {
    this.#usedIds = new Set(naming.callIds);
  }

  get hasAny(): boolean {
    return this.#count > 0;
  }

  /** Null for the pieces of a call beyond the maximum. */
  find(piece: ToolCallPiece): StreamedBlock | null {
    const { index, id, function: called } = piece;
    const place = Number.isInteger(index) ? (index as number) : Math.max(this.#last, 0);
    this.#last = place;
    const known = this.#blocks.get(place);
    const isNext = id && called?.name && known && known.id !== id;
    if (known && !isNext) return known.block;
    if (this.#count >= MAX_TOOL_CALLS) return null;
    this.#count++;
    const block: StreamedBlock = { start: this.#start(piece), text: "" };
    this.#blocks.set(place, { id, block });
    return block;
  }

  /** An id, or what its provider wants again of a call, that comes later is too late for a block that has begun. */
  #start(piece: ToolCallPiece): StreamedBlock["start"] {
    const { callId, origin, toolNames } = this.naming;
    const name = piece.function?.name ?? "";
    const own = takeFreeId(piece.id || `${callId}_${this.#count}`, this.#usedIds);
    const id = sealCallId(own, piece, origin);
    return { type: "tool_use", id, name: toolNames[name] ?? name, input: {} };
  }
}
