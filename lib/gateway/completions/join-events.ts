/** The events as one chunk: the chunk they came in where it holds just them, so that nothing is copied. */
export function joinEvents(events: readonly Buffer[], size: number, chunk: Uint8Array): Uint8Array {
  const first = events[0];
  if (events.length === 1 && first) return first;
  return size === chunk.byteLength && first?.buffer === chunk.buffer ? chunk : Buffer.concat(events, size);
}
