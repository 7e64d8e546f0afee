import type { StreamedBlock } from "./message-blocks";

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

/** Finds the block to which each piece of a tool call belongs. */
export class ToolCallBlocks {
  readonly #blocks = new Map<number, StreamedBlock>();
  #last = -1;
  #count = 0;

  get hasAny(): boolean {
    return this.#count > 0;
  }

  /** Null for the pieces of a call beyond the maximum. */
  find({ index, id, function: called }: ToolCallPiece): StreamedBlock | null {
    const place = Number.isInteger(index) ? (index as number) : Math.max(this.#last, 0);
    this.#last = place;
    const known = this.#blocks.get(place);
    const isNext = id && called?.name && known?.start.type === "tool_use" && known.start.id !== id;
    if (known && !isNext) return known;
    if (this.#count >= MAX_TOOL_CALLS) return null;
    this.#count++;
    // An id that comes later is too late for a block that has begun.
    const start = {
      type: "tool_use",
      id: id || `call_${this.#count}`,
      name: called?.name ?? "",
      input: {},
    } as const;
    const block: StreamedBlock = { start, text: "" };
    this.#blocks.set(place, block);
    return block;
  }
}
