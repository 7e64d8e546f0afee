/** Joins events into one chunk. Where the chunk they arrived in holds nothing else, that chunk is returned and nothing is copied. */
export function joinEvents(events: readonly Buffer[], size: number, chunk: Uint8Array): Uint8Array {
  const first = events[0];
  if (events.length === 1 && first) return first;
  return size === chunk.byteLength && first?.buffer === chunk.buffer ? chunk : Buffer.concat(events, size);
}
