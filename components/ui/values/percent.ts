/**
 * Formats a share as "92 %". Rounds down, so that "100 %" means all. Shares above zero that would round to 0 become "<1
 * %" or "<0.1 %".
 */
export function formatPercent(share: number, places: 0 | 1 = 0): string {
  const parts = 10 ** places;
  // Floating point makes 0.29 * 100 28.999999999999996.
  const count = Math.floor(Number((share * 100 * parts).toPrecision(12)));
  return count === 0 && share > 0 ? `<${1 / parts} %` : `${(count / parts).toFixed(places)} %`;
}

/**
 * Formats a share of a sum as "4 %", to the nearest percent. Parts that would round to nothing or to all become "<1 %"
 * and ">99 %".
 */
export function formatNearestPercent(share: number): string {
  const count = Math.round(share * 100);
  if (count === 0 && share > 0) return "<1 %";
  return count === 100 && share < 1 ? ">99 %" : `${count} %`;
}
