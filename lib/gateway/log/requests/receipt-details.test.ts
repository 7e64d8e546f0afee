import { expect, test } from "bun:test";
import fc from "fast-check";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { boundText, type ReceiptDetails, readReceiptDetails, writeReceiptDetails } from "./receipt-details";

const text = fc.option(fc.string({ unit: "binary" }));
const whole = fc.option(fc.integer({ min: 0, max: 2 ** 40 }));
const nano = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
const details: fc.Arbitrary<ReceiptDetails> = fc.record({
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
    fc.record({
      max_tokens: whole,
      temperature: fc.option(fc.constantFrom(0, 0.7, 1.25, 2)),
      left_out: fc.option(fc.array(fc.string())),
      lowered_to: whole,
      lowered_by: fc.constantFrom("model" as const, "balance" as const, null),
      prompt: fc.option(fc.record({ id: fc.string(), number: fc.nat() })),
    }),
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
      left_out: fc.array(fc.string()),
    }),
    { maxLength: 4 },
  ),
});

test("reads the details of a receipt as they were written", () => {
  const seed = Date.now() % 2 ** 31;
  fc.assert(
    fc.property(details, (one) =>
      expect([seed, readReceiptDetails(writeReceiptDetails(one))]).toEqual([seed, one]),
    ),
    { seed },
  );
});

test("details that earlier versions stored stay readable", () => {
  const stored =
    '[["messages","sdk/1","r1",2,77,"0123456789abcdef","user_1","Ada"],[64,0.7],' +
    '[1,9,"9007199254740993",["proj_1","12","34"],["max_requests_per_1_minute",3,60,1]],' +
    '[["openai","gpt",0,1,2,3,4,200,null,"p1"]]]';
  expect(readReceiptDetails(stored)).toEqual({
    client: {
      endpoint: "messages",
      user_agent: "sdk/1",
      client_request_id: "r1",
      retry_count: 2,
      content_length: 77,
      idempotency_key_hash: "0123456789abcdef",
      run_by: { id: "user_1", name: "Ada" },
    },
    settings: {
      max_tokens: 64,
      temperature: 0.7,
      left_out: null,
      lowered_to: null,
      lowered_by: null,
      prompt: null,
    },
    checks: {
      inFlight: [1, 9],
      available: 9_007_199_254_740_993n,
      spending: { project: "proj_1", spent: 12n, limit: 34n },
      limits: { max_requests_per_1_minute: { used: 3, max: 60, needed: 1 } },
    },
    attempts: [
      {
        provider: "openai",
        model: "gpt",
        started_ms: 0,
        reached_ms: 1,
        sent_ms: 2,
        answered_ms: 3,
        ended_ms: 4,
        status: 200,
        failure: null,
        provider_request_id: "p1",
        left_out: [],
      },
    ],
  });
});

test("a field that was added after the details were stored is read as null", () => {
  const stored = '[["messages",null,null,null,77],null,null,[["openai","gpt",0,1,2,3,4,200,null]]]';
  const { client, attempts } = readReceiptDetails(stored);
  expect([client?.content_length, client?.idempotency_key_hash, client?.run_by]).toEqual([77, null, null]);
  expect([attempts[0]?.status, attempts[0]?.provider_request_id]).toEqual([200, null]);
});

test("a call without records has no details", () => {
  expect(readReceiptDetails(null)).toEqual({ client: null, settings: null, checks: null, attempts: [] });
});

test("a client's text is cut, and a key in it is not kept", () => {
  expect(boundText("x".repeat(10_000))?.length).toBe(200);
  expect(boundText("agent sk-abcdefghijklmnopqrstuvwxyz")).toBe("agent sk-***");
  expect([boundText(""), boundText(null)]).toEqual([null, null]);
});
