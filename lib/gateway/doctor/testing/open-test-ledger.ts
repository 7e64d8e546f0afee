import { toNano } from "@/lib/money/amount";
import { createQueryBuilder } from "../../database/database";
import { openSqlite } from "../../database/open-sqlite";
import { openBatch } from "../../database/testing/open-batch";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../../log/sums/sum-calls.sql";

export const NOW_MS = 1_800_000_000_000;
const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(2_000_000_000n),
  rate: toNano(500_000_000n),
};

const end = {
  outcome: "completed",
  status: 200,
  stream: false,
  estimatedTokens: 30,
  firstByteMs: 1,
  durationMs: 2,
  atMs: NOW_MS,
  provider: "sandbox",
  receiptDetails: null,
} as const;

/** The settlement of the hold with this name. `charge` in nano units. */
export const settle = (name: string, charge: bigint) => ({
  kind: "settle" as const,
  settlement: {
    holdId: `hold_${name}`,
    entryId: `txn_${name}`,
    varianceEntryId: `txn_${name}v`,
    charge: toNano(charge),
    // 10 tokens at half of 1.00 per million, 5 at half of 2.00.
    usage: { promptTokens: 10, completionTokens: 5 },
    basis: "reported" as const,
    end,
  },
});

/** Opens a ledger with a payment, a charge, a charge beyond its hold, a call that cost nothing, and an open hold. */
export async function openLedger() {
  const temporary = await openTemporarySqlite();
  using sqlite = openSqlite(temporary.path, { safeIntegers: true });
  const batch = openBatch(sqlite);
  const hold = (name: string, amount: bigint) => ({
    kind: "hold" as const,
    hold: {
      id: `hold_${name}`,
      requestId: `req_${name}`,
      amount: toNano(amount),
      projectId: "proj_1",
      keyId: "key_1",
      model: "m",
      promptTokens: 10,
      maxCompletionTokens: 20,
      price,
      createdAtMs: NOW_MS,
      deadlineAtMs: NOW_MS + 1_000,
    },
  });
  const payment = { id: "txn_p", amount: toNano(1_000_000n), reference: null, createdAtMs: NOW_MS };
  const results = batch.apply([
    { kind: "payment", payment, idempotency: null, audit: null },
    hold("a", 30_000n),
    hold("b", 4_000n),
    hold("c", 30_000n),
    hold("d", 30_000n),
    settle("a", 10_000n),
    settle("b", 10_000n),
    { kind: "release", release: { holdId: "hold_c", end: { ...end, outcome: "provider_failed" } } },
  ]);
  if (results.some((result) => typeof result === "object" && "failed" in result))
    throw new Error(JSON.stringify(results));
  using sums = openSqlite(temporary.path);
  await sumCalls(createQueryBuilder(sums), async () => true);
  return temporary;
}
