import { DAY_MS } from "@/lib/contract/durations";

const LONGEST_MS = DAY_MS;

/** How long a receiver asks to be left alone, by its header Retry-After: seconds or a date. 0 where it asks for nothing. */
export function readRetryAfter(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_MS) : 0;
}
