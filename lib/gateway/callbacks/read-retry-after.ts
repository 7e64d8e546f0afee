import { DAY_MS } from "@/lib/contract/durations";

const MAX_RETRY_AFTER_MS = DAY_MS;

/** How long a receiver asks the sender to wait, from its `Retry-After` header (seconds or a date); 0 without one. */
export function readRetryAfter(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}
