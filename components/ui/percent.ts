/**
 * Formats a share as "92 %". Rounds down, so that "100 %" means all. Shares above zero that would round to 0 become "<1 %" or
 * "<0.1 %".
 */
export function percentOf(share: number, places: 0 | 1 = 0): string {
  const parts = 10 ** places;
  // Floating point makes 0.29 * 100 28.999999999999996.
  const count = Math.floor(Number((share * 100 * parts).toPrecision(12)));
  return count === 0 && share > 0 ? `<${1 / parts} %` : `${(count / parts).toFixed(places)} %`;
}
