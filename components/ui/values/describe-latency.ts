import { HOUR_S, MINUTE_S } from "@/lib/contract/durations";

/** `240 ms`, `1.32 s`, `2 min 5 s`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / MINUTE_S)} min ${seconds % 60} s`;
}

/** Below this, network delays dominate the measured speed. */
const MIN_MEASURED_MS = 100;

/** Tokens per second between the first and the last token; null if that time is unknown or too short. */
export function computeTokensPerSecond(
  tokens: number,
  firstWordMs: number | null,
  totalMs: number | null,
): string | null {
  if (firstWordMs === null || totalMs === null || tokens < 2) return null;
  const writingMs = totalMs - firstWordMs;
  return writingMs < MIN_MEASURED_MS ? null : ((tokens * 1000) / writingMs).toFixed(1);
}

/** Formats the rest of a wait, rounded up: `42 s`, `1 min 05 s`, `3 h 20 min`. */
export function describeWait(seconds: number): string {
  const pad = (count: number) => String(count).padStart(2, "0");
  if (seconds < 60) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min ${pad(seconds % MINUTE_S)} s`;
  return `${Math.floor(seconds / HOUR_S)} h ${pad(Math.floor((seconds % HOUR_S) / MINUTE_S))} min`;
}
