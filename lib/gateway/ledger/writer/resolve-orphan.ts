import { toNano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { readAudioPrice } from "../audio-columns";
import { type CallEnd, deriveId } from "../funds";
import type { LedgerOperation } from "./ledger-operation";
import type { HoldRow } from "./ledger-statements.sql";

/**
 * How to resolve a hold whose process is dead. A call that was sent is charged for its known output, at least the
 * prompt, and marked `interrupted`; one that was not sent is released.
 */
export function resolveOrphan(hold: HoldRow, nowMs: number): LedgerOperation {
  const promptTokens = Number(hold.prompt_tokens);
  const end: CallEnd = {
    outcome: hold.state === "created" ? "unsent" : "interrupted",
    status: 500,
    stream: hold.stream === 1n,
    estimatedTokens: promptTokens + Number(hold.max_completion_tokens),
    firstByteMs: null,
    // The wall clock may have been set back, and no other clock goes on from a process that is dead.
    durationMs: Math.max(0, nowMs - Number(hold.created_at_ms)),
    atMs: nowMs,
    provider: hold.provider,
    receiptDetails: hold.trace,
  };
  if (hold.state === "created") return { kind: "release", release: { holdId: hold.id, end } };
  const usage = {
    promptTokens,
    completionTokens: Number(hold.checkpoint_completion_tokens),
    ...(hold.units !== null && { units: Number(hold.units) }),
  };
  const price = {
    inputPer1m: toNano(hold.input_per_1m),
    outputPer1m: toNano(hold.output_per_1m),
    rate: toNano(hold.rate),
    ...(hold.unit !== null && { perUnit: { unit: hold.unit, amount: toNano(hold.unit_price ?? 0n) } }),
    ...readAudioPrice(hold.audio),
  };
  const entryId = deriveId("txn", hold.id);
  return {
    kind: "settle",
    settlement: {
      holdId: hold.id,
      entryId,
      varianceEntryId: `${entryId}v`,
      charge: computeCharge(usage, price),
      usage,
      basis: "interrupted",
      end,
    },
  };
}
