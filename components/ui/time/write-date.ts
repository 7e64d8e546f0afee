const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** `2026-11-26` → `26 November 2026`. */
export function writeDate(day: string): string {
  return format.format(new Date(`${day}T00:00:00Z`));
}
