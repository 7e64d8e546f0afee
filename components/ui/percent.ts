/** A share as people read it: "92 %", rounded down, so that "100 %" is all of it; "<1 %" or "<0.1 %" of what is not nothing. */
export function percentOf(share: number, places: 0 | 1 = 0): string {
  const parts = 10 ** places;
  // 0.29 * 100 is 28.999999999999996.
  const count = Math.floor(Number((share * 100 * parts).toPrecision(12)));
  return count === 0 && share > 0 ? `<${1 / parts} %` : `${(count / parts).toFixed(places)} %`;
}
