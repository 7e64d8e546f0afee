/**
 * Joins events into one chunk. Where they make up the whole chunk that they arrived in, it returns that chunk without
 * copying.
 */
export function joinEvents(events: readonly Buffer[], size: number, chunk: Uint8Array): Uint8Array {
  const first = events[0];
  if (events.length === 1 && first) return first;
  return size === chunk.byteLength && first?.buffer === chunk.buffer ? chunk : Buffer.concat(events, size);
}
