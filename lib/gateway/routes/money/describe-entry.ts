import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { writePriceFields } from "@/lib/money/price-fields";
import type { ChargeDetails, LedgerReader, LedgerRecord } from "../../ledger/reads/ledger-reader.sql";
import { toUnixSeconds } from "../../unix-seconds";
import { formatUnits } from "../format-units";

/** An entry that was just committed, in the API's form. */
export async function readEntry(
  { ledger, organization }: { ledger: LedgerReader; organization: { readonly currency: string } },
  id: string,
): Promise<LedgerEntry> {
  const entry = await ledger.find(id);
  if (!entry) throw new Error(`The ledger does not show the entry ${id} that it committed`);
  return toLedgerEntry(entry, organization.currency);
}

/** A row of the ledger as it is sent. */
export function toLedgerEntry(entry: LedgerRecord, currency: string): LedgerEntry {
  const { id, kind, amount, call } = entry;
  return {
    object: "ledger_entry",
    id,
    kind,
    amount: formatAmount(amount),
    currency,
    from_account: entry.fromAccount,
    to_account: entry.toAccount,
    balance_change: formatAmount(computeBalanceChange(entry)),
    balance_after: entry.balanceAfter === null ? null : formatAmount(entry.balanceAfter),
    created_at: toUnixSeconds(entry.createdAtMs),
    reference: entry.reference,
    note: entry.note,
    corrects: entry.corrects,
    reason: entry.reason,
    corrected: entry.corrected === null ? null : formatAmount(entry.corrected),
    basis: call?.basis ?? null,
    request_id: call?.requestId ?? null,
    project_id: call?.projectId ?? null,
    project_name: call?.projectName ?? null,
    key_id: call?.keyId ?? null,
    key_name: call?.keyName ?? null,
    model: call?.model ?? null,
    ...(call?.batchId && { batch_id: call.batchId }),
    prompt_tokens: call?.promptTokens ?? null,
    completion_tokens: call?.completionTokens ?? null,
    ...(call && call.units !== null && { units: formatUnits(call.units) }),
    ...(call?.audio && {
      audio: { prompt_tokens: call.audio.promptTokens, completion_tokens: call.audio.completionTokens },
    }),
    ...(call && describeClasses(call)),
    price: call?.price ? toPrice(call.price) : null,
  };
}

function computeBalanceChange({ amount, fromAccount, toAccount }: LedgerRecord): Nano {
  if (toAccount === "balance") return amount;
  return fromAccount === "balance" ? toNano(-amount) : ZERO;
}

function describeClasses({ cachedTokens, classUsage }: ChargeDetails) {
  const { cacheWriteTokens, cacheWrite1hTokens, reasoningTokens, isCacheContradicted, toolCalls } =
    classUsage;
  return {
    ...(cachedTokens && { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens && { cache_write_tokens: cacheWriteTokens }),
    ...(cacheWrite1hTokens && { cache_write_1h_tokens: cacheWrite1hTokens }),
    ...(reasoningTokens && { reasoning_tokens: reasoningTokens }),
    ...(isCacheContradicted && { is_cache_contradicted: isCacheContradicted }),
    ...(toolCalls && { tool_calls: toolCalls }),
  };
}

function toPrice({ inputPer1m, outputPer1m, rate, perUnit, audio, classes }: PriceSnapshot) {
  return {
    input_per_1m: formatAmount(inputPer1m),
    output_per_1m: formatAmount(outputPer1m),
    rate: formatAmount(rate),
    ...(classes && writePriceFields(classes, formatAmount)),
    ...(audio && {
      audio: {
        input_per_1m: formatAmount(audio.inputPer1m),
        output_per_1m: formatAmount(audio.outputPer1m),
      },
    }),
    ...(perUnit && { per_unit: { unit: perUnit.unit, amount: formatAmount(perUnit.amount) } }),
  };
}
