/** What the first number of `03/11/2026` is, by the other rows; `unclear` if no row tells. */
export type DayOrder = "day first" | "month first" | "unclear";

const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const NAMED = /^(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ -](\d{4})$/i;
const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A number above 12 is no month, so one row with it tells for all. */
export function findDayOrder(column: readonly string[]): DayOrder {
  const parts = column.flatMap((text) => {
    const [, first, second] = SLASHES.exec(text.trim()) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  const isDayFirst = parts.some(([first]) => first > 12);
  const isMonthFirst = parts.some(([, second]) => second > 12);
  if (isDayFirst === isMonthFirst) return "unclear";
  return isDayFirst ? "day first" : "month first";
}

/**
 * Reads a day as people and banks write it: `2026-11-30`, `30.11.2026`, `30 Nov 2026`, `30/11/2026`.
 * @returns `2026-11-30`; null if it is no day of the calendar; `unclear` if it may be two.
 */
export function parseDay(text: string, order: DayOrder): string | "unclear" | null {
  const [, isoYear, isoMonth, isoDay] = ISO.exec(text) ?? [];
  if (isoYear) return writeDay(isoYear, Number(isoMonth), Number(isoDay));
  const [, pointDay, pointMonth, pointYear] = POINTS.exec(text) ?? [];
  if (pointYear) return writeDay(pointYear, Number(pointMonth), Number(pointDay));
  const [, namedDay, name = "", namedYear] = NAMED.exec(text) ?? [];
  if (namedYear) return writeDay(namedYear, MONTHS.indexOf(name.toLowerCase()) + 1, Number(namedDay));
  const [, first, second, year] = SLASHES.exec(text) ?? [];
  if (!year) return null;
  if (order === "unclear" && first !== second) return "unclear";
  const [day, month] = order === "month first" ? [second, first] : [first, second];
  return writeDay(year, Number(month), Number(day));
}

function writeDay(year: string, month: number, day: number): string | null {
  const written = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const at = Date.parse(`${written}T00:00:00Z`);
  // 31 February becomes a day of March, or none.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== written ? null : written;
}
