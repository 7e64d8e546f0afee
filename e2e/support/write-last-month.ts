import { join } from "node:path";
import { monthStartMs } from "@/lib/gateway/balance/calendar-month";
import { openSqlite } from "@/lib/gateway/store/database";
import { openBatch } from "@/lib/gateway/store/ledger/open-batch";
import { toNano } from "@/lib/money/amount";

// Run as `bun e2e/support/write-last-month.ts DATA_FOLDER PROJECT`: writes a payment of 50.00 and two charged calls of last
// month.
const [dataFolder = "", projectId = ""] = process.argv.slice(2);
const atMs = monthStartMs(Date.now()) - 86_400_000;
using sqlite = openSqlite(join(dataFolder, "gatehouse.sqlite"), { safeIntegers: true });
const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(2_000_000_000n),
  rate: toNano(500_000_000n),
};
const amount = toNano(2_000_000_000n);
const operations = ["sandbox-echo", "sandbox-chat"].flatMap((model, index) => {
  const hold = {
    id: `hold_past${index}`,
    requestId: `req_past${index}`,
    amount,
    projectId,
    keyId: "key_past",
    model,
    promptTokens: 2_000_000,
    maxCompletionTokens: 1_000_000,
    price,
    createdAtMs: atMs,
    deadlineAtMs: atMs + 1_000,
  };
  const settlement = {
    holdId: hold.id,
    entryId: `txn_past${index}`,
    varianceEntryId: `txn_past${index}v`,
    charge: amount,
    usage: { promptTokens: 2_000_000, completionTokens: 1_000_000 },
    basis: "reported" as const,
    end: {
      outcome: "completed" as const,
      status: 200,
      stream: false,
      estimatedTokens: 3_000_000,
      firstByteMs: 1,
      durationMs: 2,
      atMs,
      provider: "sandbox",
      trace: null,
    },
  };
  return [
    { kind: "hold" as const, hold },
    { kind: "settle" as const, settlement },
  ];
});
const payment = {
  id: "txn_paid_last_month",
  amount: toNano(50_000_000_000n),
  reference: "Invoice 9",
  createdAtMs: atMs,
};
const results = openBatch(sqlite).apply([
  { kind: "payment", payment, idempotency: null, audit: null },
  ...operations,
]);
if (results.some((result) => result === false || (typeof result === "object" && "failed" in result))) {
  throw new Error(JSON.stringify(results));
}
