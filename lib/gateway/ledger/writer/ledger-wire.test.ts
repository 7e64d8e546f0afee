import { expect, test } from "bun:test";
import fc from "fast-check";
import { toNano } from "@/lib/money/amount";
import type { CallEnd, HoldDraft, Settlement } from "../funds";
import type { LedgerOperation } from "./ledger-operation";
import { decodeOperations, encodeOperations } from "./ledger-wire";

const nano = fc.bigInt(0n, 9n * 10n ** 18n).map(toNano);
const count = fc.nat();
const text = fc.string({ unit: "grapheme" });
const orAbsent = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const hold: fc.Arbitrary<HoldDraft> = fc.record({
  id: text,
  requestId: text,
  amount: nano,
  projectId: text,
  keyId: text,
  model: text,
  promptTokens: count,
  maxCompletionTokens: count,
  price: fc.record({
    inputPer1m: nano,
    outputPer1m: nano,
    rate: nano,
    perUnit: orAbsent(fc.record({ unit: text, amount: nano })),
    classes: orAbsent(
      fc.record({
        cachedInputPer1m: nano,
        longContext: fc.record({ from: count, cacheWrite5mPer1m: nano, outputPer1m: nano }),
      }),
    ),
  }),
  createdAtMs: count,
  deadlineAtMs: count,
  units: orAbsent(fc.integer({ min: 1 })),
  taskId: orAbsent(fc.string({ minLength: 1 })),
  idempotency: orAbsent(fc.record({ scope: text, key: text, bodyHash: text })),
});

const end: fc.Arbitrary<CallEnd> = fc.record({
  outcome: fc.constant("completed"),
  status: count,
  stream: fc.boolean(),
  estimatedTokens: count,
  firstByteMs: fc.option(count),
  durationMs: count,
  atMs: count,
  provider: fc.option(text),
  receiptDetails: fc.option(fc.oneof(fc.json(), fc.constant("a\nb"), text)),
});

const settlement: fc.Arbitrary<Settlement> = fc.record({
  holdId: text,
  entryId: text,
  varianceEntryId: text,
  charge: nano,
  usage: fc
    .record(
      {
        promptTokens: count,
        completionTokens: count,
        cachedTokens: count,
        cacheWriteTokens: fc.integer({ min: 1 }),
        cacheWrite1hTokens: fc.integer({ min: 1 }),
        reasoningTokens: fc.integer({ min: 1 }),
        isCacheContradicted: fc.constant(true as const),
      },
      { requiredKeys: ["promptTokens", "completionTokens", "cacheWriteTokens"] },
    )
    .map(({ ...usage }) => usage),
  countedTokens: orAbsent(count),
  basis: fc.constant("reported"),
  end,
  reply: orAbsent(text),
});

const payment = fc.record({
  id: text,
  amount: nano,
  reference: fc.option(text),
  note: fc.option(text),
  paidOn: fc.option(text),
  createdAtMs: count,
  allowsDuplicate: fc.boolean(),
});
const asked = {
  idempotency: null,
  audit: null,
  maker: { kind: "user", id: "user_1", name: "Ada", payerId: "user_1" },
} as const;

const operation: fc.Arbitrary<LedgerOperation> = fc.oneof(
  hold.map((one) => ({ kind: "hold", hold: one }) as const),
  settlement.map((one) => ({ kind: "settle", settlement: one }) as const),
  fc.array(payment).map((payments) => ({ kind: "payments", payments, ...asked }) as const),
  payment.map((one) => ({ kind: "payment", payment: one, ...asked }) as const),
  end.map((one) => ({ kind: "release", release: { holdId: "hold_1", end: one } }) as const),
);

test("decodes operations as they were encoded, in the same order", () => {
  fc.assert(
    fc.property(fc.array(operation), (operations) => {
      expect(decodeOperations(encodeOperations(operations))).toEqual(operations);
    }),
    { verbose: 1 },
  );
});
