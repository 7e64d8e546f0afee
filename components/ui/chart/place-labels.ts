/** Moves overlapping labels apart as little as possible, keeping their order. All arguments use the same unit. */
export function placeLabels(positions: readonly number[], gap: number, max: number): number[] {
  const order = positions.map((at, index) => ({ at, index })).toSorted((one, other) => one.at - other.at);
  const placed: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, index } of order) {
    last = Math.max(at, last + gap);
    placed[index] = last;
  }
  let next = max;
  for (const { index } of order.toReversed()) {
    placed[index] = Math.max(0, Math.min(placed[index] ?? 0, next));
    next = (placed[index] ?? 0) - gap;
  }
  return placed;
}
