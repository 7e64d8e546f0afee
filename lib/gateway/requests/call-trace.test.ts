import { expect, test } from "bun:test";
import fc from "fast-check";
import { rateLimitFields } from "@/lib/contract/rate-limit-table";
import { boundedText, type CallTrace, readTrace, writeTrace } from "./call-trace";

const text = fc.option(fc.string({ unit: "binary" }));
const whole = fc.option(fc.integer({ min: 0, max: 2 ** 40 }));
const nano = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
const trace: fc.Arbitrary<CallTrace> = fc.record({
  client: fc.option(
    fc.record({
      endpoint: fc.constantFrom("chat/completions" as const, "messages" as const),
      user_agent: text,
      client_request_id: text,
      retry_count: whole,
      content_length: whole,
      idempotency_key_hash: text,
      run_by: fc.option(fc.record({ id: fc.string(), name: fc.string() })),
    }),
  ),
  settings: fc.option(
    fc.record({ max_tokens: whole, temperature: fc.option(fc.constantFrom(0, 0.7, 1.25, 2)) }),
  ),
  checks: fc.option(
    fc.record({
      inFlight: fc.tuple(fc.nat(), fc.nat()),
      available: fc.option(nano),
      spending: fc.option(fc.record({ project: text, spent: nano, limit: nano })),
      limits: fc.option(
        fc.dictionary(
          fc.constantFrom(...rateLimitFields),
          fc.record({ used: fc.maxSafeNat(), max: fc.maxSafeNat(), needed: fc.maxSafeNat() }),
          { noNullPrototype: true },
        ),
      ),
    }),
  ),
  attempts: fc.array(
    fc.record({
      provider: fc.string(),
      model: fc.string(),
      started_ms: fc.nat(),
      reached_ms: whole,
      sent_ms: whole,
      answered_ms: whole,
      ended_ms: whole,
      status: whole,
      failure: text,
      provider_request_id: text,
    }),
    { maxLength: 4 },
  ),
});

test("reads a call's trace as it was written", () => {
  const seed = Date.now() % 2 ** 31;
  fc.assert(
    fc.property(trace, (one) => expect([seed, readTrace(writeTrace(one))]).toEqual([seed, one])),
    { seed },
  );
});

test("a call without records has an empty trace", () => {
  expect(readTrace(null)).toEqual({ client: null, settings: null, checks: null, attempts: [] });
});

test("a client's text is cut, and a key in it is not kept", () => {
  expect(boundedText("x".repeat(10_000))?.length).toBe(200);
  expect(boundedText("agent sk-abcdefghijklmnopqrstuvwxyz")).toBe("agent sk-***");
  expect([boundedText(""), boundedText(null)]).toEqual([null, null]);
});
