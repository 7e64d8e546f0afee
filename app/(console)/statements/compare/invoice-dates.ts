const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Two numbers and a year. A dot is written between a day and a month, in this order. */
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:$|[T ,])/;
const ISO = /^(\d{4})([-/.]?)(\d{2})(?:\2(\d{2}))?(?:$|[T ])/;
const SECONDS_DIGITS = 10;

/** The order of a date's numbers, such as 31/10/2026 or 10/31/2026. */
type DateOrder = "day first" | "month first";

/** Finds the order that a column of dates uses; null if its dates don't show it, or contradict each other. */
export function detectDateOrder(dates: readonly string[]): DateOrder | null {
  const shown = new Set<DateOrder>();
  for (const text of dates) {
    const [, first, separator, second] = NUMBERS.exec(text.trim()) ?? [];
    if (separator === "." || Number(first) > 12) shown.add("day first");
    else if (Number(second) > 12) shown.add("month first");
  }
  const [order] = shown;
  return shown.size === 1 && order ? order : null;
}

/**
 * Returns the month of a date in UTC, such as "2026-10". Reads 2026-10-31, 2026-10, 20261031, 31.10.2026, 10/31/2026,
 * 31 Oct 2026, October 2026 and Unix seconds or milliseconds. Null for others, and for one that means two days.
 */
export function findMonth(text: string, order: DateOrder | null): string | null {
  if (/^\d{10}(?:\d{3})?$/.test(text)) {
    return new Date(Number(text.slice(0, SECONDS_DIGITS)) * 1000).toISOString().slice(0, 7);
  }
  const [, year, separator, month, day] = ISO.exec(text) ?? [];
  if (year && !(separator === "" && day === undefined)) return monthIn(year, Number(month), day);
  return parseNumericMonth(text, order) ?? parseNamedMonth(text);
}

function parseNumericMonth(text: string, order: DateOrder | null): string | null {
  const [, first = "", separator, second = "", year = ""] = NUMBERS.exec(text) ?? [];
  const known = separator === "." || first === second ? "day first" : order;
  if (known === null) return null;
  return known === "day first" ? monthIn(year, Number(second), first) : monthIn(year, Number(first), second);
}

function parseNamedMonth(text: string): string | null {
  const [, dayBefore, name = "", dayAfter, year = ""] =
    /^(?:(\d{1,2})[ -])?([A-Za-z]{3,9})\.?(?:[ -](\d{1,2})(?:,|(?= )))?[ -]+(\d{4})$/.exec(text) ?? [];
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? null : monthIn(year, index + 1, dayBefore ?? dayAfter);
}

/** Null if the month doesn't have the day. */
function monthIn(year: string, month: number, day = "1"): string | null {
  const lastDay = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && Number(day) >= 1 && Number(day) <= lastDay;
  return isDay ? `${year}-${String(month).padStart(2, "0")}` : null;
}
