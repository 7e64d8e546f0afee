import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { readRetryAfter } from "./read-retry-after";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const read = (headers: Readonly<Record<string, string>>, body = "") =>
  readRetryAfter({ header: (name) => headers[name] ?? null }, body, NOW)?.ms ?? null;

test.each<[string, Readonly<Record<string, string>>, number | null]>([
  ["seconds", { "retry-after": "30" }, 30_000],
  ["parts of a second", { "retry-after": "1.5" }, 1_500],
  ["none", { "retry-after": "0" }, 0],
  ["a date against our clock", { "retry-after": "Sun, 01 Mar 2026 12:02:00 GMT" }, 120_000],
  [
    "a date against the reply's",
    { "retry-after": "Sun, 01 Mar 2026 12:02:00 GMT", date: "Sun, 01 Mar 2026 12:01:30 GMT" },
    30_000,
  ],
  ["an old form of a date", { "retry-after": "Sunday, 01-Mar-26 12:00:10 GMT" }, 10_000],
  ["a date of C, without its zone", { "retry-after": "Sun Mar  1 12:00:10 2026" }, 10_000],
  ["a date that is past", { "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
  ["milliseconds, before seconds", { "retry-after-ms": "250.5", "retry-after": "30" }, 250.5],
  ["a length", { "retry-after": "2m30s" }, 150_000],
  ["a year", { "retry-after": "31536000" }, DAY_MS],
  ["words", { "retry-after": "soon" }, null],
  ["a negative number", { "retry-after": "-5" }, null],
  ["nothing", {}, null],
  ["a limit's length", { "x-ratelimit-reset-tokens": "6m0s" }, 360_000],
  ["a limit's milliseconds", { "x-ratelimit-reset-requests": "20ms" }, 20],
  [
    "the limit that is used up",
    {
      "x-ratelimit-reset-requests": "8.64s",
      "x-ratelimit-remaining-requests": "9",
      "x-ratelimit-reset-tokens": "1m2.5s",
      "x-ratelimit-remaining-tokens": "0",
    },
    62_500,
  ],
  [
    "the first limit where none is used up",
    { "x-ratelimit-reset-requests": "6h", "x-ratelimit-reset-tokens": "3s" },
    3_000,
  ],
  ["a limit's date", { "anthropic-ratelimit-input-tokens-reset": "2026-03-01T12:00:45Z" }, 45_000],
  ["a limit's Unix time", { "x-ratelimit-reset": String(NOW / 1_000 + 7) }, 7_000],
  ["a limit's Unix time in milliseconds", { "x-ratelimit-reset": String(NOW + 7_000) }, 7_000],
  ["retry-after, before limits", { "retry-after": "2", "x-ratelimit-reset-requests": "1h" }, 2_000],
])("a wait is read from %s", (_name, headers, ms) => {
  expect(read(headers)).toBe(ms);
});

test("a wait is read from a body, at any depth", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }];
  expect(read({}, JSON.stringify([{ error: { code: 429, details } }]))).toBe(34_070);
  expect(read({}, JSON.stringify({ error: { retry_after: 12 } }))).toBe(12_000);
  expect(read({}, JSON.stringify({ error: { message: 'write "retryDelay" there' } }))).toBeNull();
  expect(read({ "retry-after": "5" }, JSON.stringify({ retryDelay: "34s" }))).toBe(5_000);
});
