import { readEventData } from "../../http/event-splitter";
import { SYNCHRONOUS_BYTES } from "../replies/reply-reader";

/** What all chunks of a stream have alike, as far as the provider writes it. */
interface ChunkHead {
  readonly id?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices?: unknown;
}

/** The head of an event's chunk; empty for a long event, and for one without a chunk. */
export function readChunkHead(event: Buffer): ChunkHead {
  if (event.byteLength > SYNCHRONOUS_BYTES) return {};
  try {
    const { id, created, model, choices } = JSON.parse(readEventData(event) ?? "{}");
    return { id, created, model, choices };
  } catch {
    return {};
  }
}
