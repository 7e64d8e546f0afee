import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { chargeFor } from "@/lib/money/charge";
import type { CallEnd } from "../balance/funds";
import type { LedgerBatch } from "./ledger-batch";
import type { LedgerOperation } from "./ledger-operation";
import { type HoldRow, prepareLedgerStatements } from "./ledger-statements";

/**
 * Resolves the holds that a gateway which died has left open. One that was sent is charged what is known to have been
 * generated, the prompt at least, and marked `interrupted`; one that was not is released.
 * @returns how many there were.
 * @throws Error when the store doesn't take them: the gateway must not start with money in doubt.
 */
export function reapHolds(sqlite: Database, batch: LedgerBatch, nowMs: number): number {
  const orphans = prepareLedgerStatements(sqlite).openHolds.all();
  const results = batch.apply(orphans.map((hold) => resolutionOf(hold, nowMs)));
  const failure = results.find((result) => typeof result === "object" && "failed" in result);
  if (failure) throw new Error(`An orphaned hold can't be resolved: ${JSON.stringify(failure)}`);
  return orphans.length;
}

function resolutionOf(hold: HoldRow, nowMs: number): LedgerOperation {
  const promptTokens = Number(hold.prompt_tokens);
  const end: CallEnd = {
    outcome: hold.state === "created" ? "unsent" : "interrupted",
    status: 500,
    stream: false,
    estimatedTokens: promptTokens + Number(hold.max_completion_tokens),
    firstByteMs: null,
    durationMs: nowMs - Number(hold.created_at_ms),
    atMs: nowMs,
  };
  if (hold.state === "created") return { kind: "release", release: { holdId: hold.id, end } };
  const usage = { promptTokens, completionTokens: Number(hold.checkpoint_completion_tokens) };
  const price = {
    inputPer1m: toNano(hold.input_per_1m),
    outputPer1m: toNano(hold.output_per_1m),
    rate: toNano(hold.rate),
  };
  const ownPart = hold.id.slice(hold.id.indexOf("_") + 1);
  return {
    kind: "settle",
    settlement: {
      holdId: hold.id,
      entryId: `txn_${ownPart}`,
      varianceEntryId: `txn_${ownPart}v`,
      charge: chargeFor(usage, price),
      usage,
      basis: "interrupted",
      end,
    },
  };
}
