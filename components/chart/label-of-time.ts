/** Formats a bucket's start. Includes the day if buckets are an hour or longer, and the day alone from a day on. */
export function labelOfTime(at: number, seconds: number): string {
  const day = { day: "numeric", month: "short" } as const;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const format = seconds >= 86_400 ? day : seconds >= 3_600 ? { ...day, ...time } : time;
  return new Date(at * 1000).toLocaleString("en-GB", format);
}
