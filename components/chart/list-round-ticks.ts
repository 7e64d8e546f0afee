/** The steps that people count in: 1, 2 and 5, and these times a power of ten. */
const ROUND = [1, 2, 5, 10];

/** Returns the values of an axis from 0 to at least `max`, in about `count` round steps. Without a `max`, the axis goes to 1. */
export function listRoundTicks(max: number, count: number): readonly number[] {
  const end = max > 0 ? max : 1;
  const step = findRoundStep(end / count);
  const steps = Math.ceil(dropNoise(end / step));
  // What the last step adds may make room for larger steps.
  if (findRoundStep(dropNoise(steps * step) / count) > step) return listRoundTicks(steps * step, count);
  return Array.from({ length: steps + 1 }, (_, index) => dropNoise(index * step));
}

/** 3 × 0.1 is 0.30000000000000004. */
const dropNoise = (value: number) => Number(value.toPrecision(12));

/** Returns the round step that is closest to `step` by ratio. */
function findRoundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const distance = (round: number) => Math.abs(Math.log(step / (round * power)));
  const nearest = ROUND.toSorted((one, other) => distance(one) - distance(other))[0] ?? 1;
  return dropNoise(nearest * power);
}
