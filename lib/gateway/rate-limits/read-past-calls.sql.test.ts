import { expect, test } from "bun:test";
import { builtInRateLimits, MAX_WINDOW_MS, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import { newId } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../database/open-sqlite";
import { openTemporarySqlite } from "../database/testing/open-temporary-database";
import type { FinalOutcome, HoldDraft } from "../ledger/funds";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { LedgerBatch, OwnerLease } from "../ledger/writer/ledger-batch.sql";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { EmbeddedAdmissions } from "./embedded-admissions";
import { readPastCalls } from "./read-past-calls.sql";

const { clock, random } = simulatedRuntime();
const price = { inputPer1m: toNano(1n), outputPer1m: toNano(1n), rate: toNano(1n) };
const whose = { projectId: "proj_1", keyId: "key_1", model: "m", price };
const carried = { images: 10, audioMegabytes: 10 };
const size = { promptTokens: 4, expectedOutputTokens: 6, maxOutputTokens: 6, choices: 1 };

function openAdmissions() {
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  return new EmbeddedAdmissions({ available: toNano(1_000n) }, spend, { clock, currency: "USD" });
}

/** What a call of each kind counts, in the memory of the process that made it and after a restart. */
async function countBoth(outcome: Extract<FinalOutcome, "unsent" | "provider_failed">) {
  const before = openAdmissions();
  const request = { ...whose, ...size, ...carried, limits: builtInRateLimits };
  before.release(before.admit(request), { sent: outcome !== "unsent" });

  await using store = await openTemporarySqlite();
  {
    using sqlite = openSqlite(store.path, { safeIntegers: true });
    const batch = new LedgerBatch(sqlite, new OwnerLease(sqlite, "this process", clock));
    const nowMs = clock.nowMs();
    const payment = { id: "txn_p", amount: toNano(1_000n), reference: null, createdAtMs: nowMs };
    const hold: HoldDraft = {
      id: "hold_1",
      requestId: newId("req", nowMs, random),
      amount: toNano(10n),
      ...whose,
      promptTokens: size.promptTokens,
      maxCompletionTokens: size.maxOutputTokens,
      carried,
      createdAtMs: nowMs,
      deadlineAtMs: nowMs + 1,
    };
    const times = { firstByteMs: null, durationMs: 1, atMs: nowMs };
    const end = {
      outcome,
      status: 502,
      stream: false,
      estimatedTokens: 10,
      ...times,
      provider: null,
      receiptDetails: null,
    };
    batch.keepLease();
    const results = batch.apply([
      { kind: "payment", payment, idempotency: null, audit: null },
      { kind: "hold", hold },
      { kind: "release", release: { holdId: hold.id, end } },
    ]);
    expect(results.slice(1)).toEqual([true, true]);
  }
  await store.reopen();
  const after = openAdmissions();
  after.windows.restore(await readPastCalls(store.reads, clock.nowMs(), MAX_WINDOW_MS));
  return [before, after].map(({ windows }) =>
    rateLimitRows.map(({ field }) => [field, windows.find("proj_1", "m").used(field, windows.now())]),
  );
}

test.each(["unsent", "provider_failed"] as const)(
  "a restart counts a call that cost nothing as memory does, by each limit: %s",
  async (outcome) => {
    const [before, after] = await countBoth(outcome);
    expect(after).toEqual(before as typeof after & object);
    const requests = outcome === "unsent" ? 0 : 1;
    expect(after).toEqual(
      rateLimitRows.map(({ field, counts }) => [field, counts === "requests" ? requests : 0]),
    );
  },
);
