import type { Database } from "bun:sqlite";
import { openBatch } from "@/lib/gateway/database/testing/open-batch";
import { toNano } from "@/lib/money/amount";

const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(2_000_000_000n),
  rate: toNano(500_000_000n),
};
const amount = toNano(2_000_000_000n);

interface Month {
  readonly projectId: string;
  readonly atMs: number;
  readonly name: string;
  readonly isPaid: boolean;
}

/**
 * Writes two charged calls of 2.00 at a time in the past, after a payment of 50.00 if it is wanted. `name` makes their
 * ids unique. The database is opened with safe integers.
 */
export function writeMonth(sqlite: Database, { projectId, atMs, name, isPaid }: Month): void {
  const operations = ["sandbox-echo", "sandbox-chat"].flatMap((model, index) => {
    const hold = {
      id: `hold_${name}${index}`,
      requestId: `req_${name}${index}`,
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
      entryId: `txn_${name}${index}`,
      varianceEntryId: `txn_${name}${index}v`,
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
        receiptDetails: null,
      },
    };
    return [
      { kind: "hold" as const, hold },
      { kind: "settle" as const, settlement },
    ];
  });
  const payment = {
    id: `txn_paid_${name}`,
    amount: toNano(50_000_000_000n),
    reference: "Invoice 9",
    createdAtMs: atMs,
  };
  const results = openBatch(sqlite).apply([
    ...(isPaid ? [{ kind: "payment" as const, payment, idempotency: null, audit: null }] : []),
    ...operations,
  ]);
  if (results.some((result) => result === false || (typeof result === "object" && "failed" in result))) {
    throw new Error(JSON.stringify(results));
  }
}
