import { expect, test } from "bun:test";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, toNano } from "@/lib/money/amount";
import { computeCorrectionEffect, computeRemainder } from "./entry-corrections";

// An unrelated library, with more digits than any sum here has.
const Exact = Decimal.clone({ precision: 60 });
const nano = fc.bigInt({ min: 0n, max: 10n ** 18n });
const write = (amount: bigint) => formatAmount(toNano(amount));
const plain = (decimal: string) => new Exact(decimal).toFixed();

test("what a correction leaves of an entry and of the balance is what an independent library comes to", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("payment" as const, "charge" as const),
      nano,
      nano,
      nano,
      fc.bigInt({ min: 1n, max: 10n ** 18n }),
      (kind, rest, before, available, typed) => {
        const entry = { kind, amount: write(rest + before), corrected: write(before) } as LedgerEntry;
        expect(plain(computeRemainder(entry) ?? "")).toBe(plain(write(rest)));
        const effect = computeCorrectionEffect(entry, write(typed), write(available));
        if (typed > rest) return expect(effect).toBeNull();
        const change = new Exact(write(typed)).times(kind === "payment" ? -1 : 1);
        expect(plain(effect?.left ?? "")).toBe(new Exact(write(rest)).minus(write(typed)).toFixed());
        expect(plain(effect?.change ?? "")).toBe(change.toFixed());
        expect(plain(effect?.after ?? "")).toBe(change.plus(write(available)).toFixed());
      },
    ),
  );
});

test("a correction of a correction, of nothing or of a negative amount has no effect", () => {
  const entry = { kind: "payment", amount: "10.00", corrected: "4.00" } as LedgerEntry;
  for (const typed of ["", "0", "-1", "6.000000001", "1e3", "ten"])
    expect(computeCorrectionEffect(entry, typed, "10.00")).toBeNull();
  expect(computeCorrectionEffect({ ...entry, kind: "correction", corrected: null }, "1", "10.00")).toBeNull();
  expect(computeCorrectionEffect(entry, "6", "10.00")?.left).toBe("0.00");
});
