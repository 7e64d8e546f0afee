import type { StreamedBlock } from "./message-blocks";
import { takeFreeId } from "./receiver-bounds";
import { sealCallId } from "./returned-parts";

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
