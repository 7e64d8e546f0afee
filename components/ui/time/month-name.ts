/**
 * Returns text such as "October 2026".
 * @param month a calendar month in UTC, such as "2026-10".
 */
export function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
