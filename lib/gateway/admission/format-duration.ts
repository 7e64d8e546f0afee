/**
 * A duration in the format of OpenAI's `x-ratelimit-reset-*`: `12ms`, `1s`, `6m0s`, `1h0m0s`. Durations above one second
 * are rounded up to whole seconds.
 */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`;
  const total = Math.ceil(ms / 1_000);
  const seconds = total % 60;
  if (total < 60) return `${seconds}s`;
  const minutes = Math.floor(total / 60);
  return minutes < 60 ? `${minutes}m${seconds}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}s`;
}
