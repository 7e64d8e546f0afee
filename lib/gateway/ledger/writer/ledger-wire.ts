import { readNano } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import type { CallEnd, HoldDraft, Settlement, TaskDraft } from "../funds";
import { type ClassUsage, readPriceClasses, writePriceClasses } from "../ledger-row";
import type { Correction, ImportedPayment, Payment } from "../payments/posting";
import type { LedgerOperation } from "./ledger-operation";

/**
 * Encodes operations as one text, which reaches the writer thread faster than cloned objects. Money is encoded in
 * arrays without names; amounts are numbers if those are exact, otherwise decimal text. Receipt details follow on
 * lines of their own, unescaped. No value is undefined, which would take `JSON.stringify` off its fast path.
 */
export function encodeOperations(operations: readonly LedgerOperation[]): string {
  const detailsLines: string[] = [];
  const text = JSON.stringify(operations.map((operation) => encode(operation, detailsLines)));
  return detailsLines.length === 0 ? text : `${text}\n${detailsLines.join("\n")}`;
}

export function decodeOperations(text: string): LedgerOperation[] {
  const [operations = "[]", ...detailsLines] = text.split("\n");
  let next = 0;
  const nextDetails = () => detailsLines[next++] ?? null;
  return (JSON.parse(operations) as Wire[]).map((wire) => decode(wire, nextDetails));
}

type Wire =
  | {
      readonly hold: HoldRow;
      readonly idempotency?: HoldDraft["idempotency"];
      readonly carried?: HoldDraft["carried"];
      readonly task?: TaskDraft | undefined;
    }
  | {
      readonly settle: SettlementRow;
      readonly reply?: Settlement["reply"];
      readonly task?: Settlement["task"];
    }
  | PostingWire
  | { readonly plain: Exclude<LedgerOperation, { kind: Encoded }> };

type Encoded = "hold" | "settle" | "payment" | "payments" | "correction";

function encode(operation: LedgerOperation, detailsLines: string[]): Wire {
  switch (operation.kind) {
    case "hold": {
      const { hold, task } = operation;
      const { idempotency, carried } = hold;
      const row = toHoldRow(hold);
      return task || idempotency || carried ? { hold: row, idempotency, carried, task } : { hold: row };
    }
    case "settle": {
      const { reply, task } = operation.settlement;
      const row = toSettlementRow(operation.settlement, detailsLines);
      return task || reply !== undefined ? { settle: row, reply, task } : { settle: row };
    }
    case "payment":
    case "payments":
    case "correction":
      return encodePosting(operation);
    default:
      return { plain: operation };
  }
}

function decode(wire: Wire, nextDetails: () => string | null): LedgerOperation {
  if ("hold" in wire) {
    const { task } = wire;
    return { kind: "hold", hold: fromHoldRow(wire), ...(task && { task }) };
  }
  if ("settle" in wire) {
    const { reply, task } = wire;
    return { kind: "settle", settlement: { ...fromSettlementRow(wire.settle, nextDetails), reply, task } };
  }
  if ("plain" in wire) return wire.plain;
  return decodePosting(wire);
}

type HoldRow = ReturnType<typeof toHoldRow>;

function toHoldRow(hold: HoldDraft) {
  const { id, requestId, amount, projectId, keyId, model } = hold;
  const numbers = [hold.promptTokens, hold.maxCompletionTokens, hold.createdAtMs, hold.deadlineAtMs] as const;
  const mediaColumns = [hold.taskId ?? null, hold.units ?? null, hold.batchId ?? null] as const;
  return [
    id,
    requestId,
    toWire(amount),
    projectId,
    keyId,
    model,
    ...numbers,
    formatPrice(hold.price),
    ...mediaColumns,
  ] as const;
}

function fromHoldRow({ hold: row, idempotency, carried }: Extract<Wire, { hold: HoldRow }>): HoldDraft {
  const [id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, ...rest] = row;
  const [createdAtMs, deadlineAtMs, price, taskId, units, batchId] = rest;
  return {
    id,
    requestId,
    amount: readNano(amount),
    projectId,
    keyId,
    model,
    promptTokens,
    maxCompletionTokens,
    price: parsePrice(price),
    createdAtMs,
    deadlineAtMs,
    ...(units && { units }),
    ...(taskId && { taskId }),
    ...(batchId && { batchId }),
    ...(carried && { carried }),
    idempotency,
  };
}

/** There are few prices and many calls per price, so each price is encoded and decoded only once. */
const MAX_PRICES = 1_000;
const writtenPrices = new WeakMap<PriceSnapshot, string>();
const readPrices = new Map<string, PriceSnapshot>();

function formatPrice(price: PriceSnapshot): string {
  const cached = writtenPrices.get(price);
  if (cached !== undefined) return cached;
  const { inputPer1m, outputPer1m, rate, perUnit, audio } = price;
  const audioPrices = audio ? [audio.inputPer1m, audio.outputPer1m] : ["", ""];
  const classes = writePriceClasses(price) ?? "";
  const more = perUnit ? [perUnit.amount, perUnit.unit] : [];
  const text = [inputPer1m, outputPer1m, rate, ...audioPrices, classes, ...more].join(" ");
  writtenPrices.set(price, text);
  return text;
}

function parsePrice(text: string): PriceSnapshot {
  const cached = readPrices.get(text);
  if (cached) return cached;
  const [inputPer1m = "", outputPer1m = "", rate = "", ...more] = text.split(" ");
  const [audioInput = "", audioOutput = "", classes = "", amount, ...unit] = more;
  const price = {
    inputPer1m: readNano(inputPer1m),
    outputPer1m: readNano(outputPer1m),
    rate: readNano(rate),
    ...(amount !== undefined && { perUnit: { unit: unit.join(" "), amount: readNano(amount) } }),
    ...(audioInput && { audio: { inputPer1m: readNano(audioInput), outputPer1m: readNano(audioOutput) } }),
    ...readPriceClasses(classes || null),
  };
  if (readPrices.size >= MAX_PRICES) readPrices.clear();
  readPrices.set(text, price);
  return price;
}

type SettlementRow = ReturnType<typeof toSettlementRow>;

function toSettlementRow(
  { holdId, entryId, varianceEntryId, charge, usage, countedTokens, basis, end }: Settlement,
  detailsLines: string[],
) {
  const {
    promptTokens,
    completionTokens,
    cachedTokens = null,
    units = null,
    audio = null,
    ...others
  } = usage;
  const details = pickDetails(others);
  return [
    holdId,
    entryId,
    varianceEntryId,
    toWire(charge),
    promptTokens,
    completionTokens,
    cachedTokens,
    units,
    audio,
    countedTokens ?? null,
    details,
    basis,
    ...toEndRow(end, detailsLines),
  ] as const;
}

function fromSettlementRow(
  row: SettlementRow,
  nextDetails: () => string | null,
): Omit<Settlement, "reply" | "task"> {
  const [holdId, entryId, varianceEntryId, charge, promptTokens, completionTokens, cachedTokens, ...rest] =
    row;
  const [units, audio, countedTokens, details, basis, ...end] = rest;
  const usage = {
    promptTokens,
    completionTokens,
    ...(cachedTokens !== null && { cachedTokens }),
    ...(units && { units }),
    ...(audio && { audio }),
    ...details,
  };
  return {
    holdId,
    entryId,
    varianceEntryId,
    charge: readNano(charge),
    usage,
    ...(countedTokens !== null && { countedTokens }),
    basis,
    end: fromEndRow(end, nextDetails),
  };
}

type UsageDetails = ClassUsage & Pick<Settlement["usage"], "isStandardTier">;

/** What is known of a usage beside its columns; null where that is nothing, as it mostly is. */
function pickDetails(usage: UsageDetails): UsageDetails | null {
  const { cacheWriteTokens, cacheWrite1hTokens, reasoningTokens, isCacheContradicted } = usage;
  const { toolCalls, isStandardTier } = usage;
  if (!cacheWriteTokens && !reasoningTokens && !isCacheContradicted && !toolCalls && !isStandardTier)
    return null;
  return {
    ...(cacheWriteTokens && { cacheWriteTokens }),
    ...(cacheWrite1hTokens && { cacheWrite1hTokens }),
    ...(reasoningTokens && { reasoningTokens }),
    ...(isCacheContradicted && { isCacheContradicted }),
    ...(toolCalls && { toolCalls }),
    ...(isStandardTier && { isStandardTier }),
  };
}

type EndRow = ReturnType<typeof toEndRow>;

/** Marks the end of a call with receipt details on a separate line. Details with line breaks are in the row instead. */
const ON_ITS_LINE = 1;

function toEndRow(end: CallEnd, detailsLines: string[]) {
  const { outcome, status, stream, estimatedTokens, firstByteMs, durationMs, atMs, provider } = end;
  const details = encodeDetailsLine(end.receiptDetails, detailsLines);
  return [
    outcome,
    status,
    stream,
    estimatedTokens,
    firstByteMs,
    durationMs,
    atMs,
    provider,
    details,
  ] as const;
}

function encodeDetailsLine(
  details: string | null,
  detailsLines: string[],
): string | typeof ON_ITS_LINE | null {
  if (details === null || details.includes("\n")) return details;
  detailsLines.push(details);
  return ON_ITS_LINE;
}

function fromEndRow(row: EndRow, nextDetails: () => string | null): CallEnd {
  const [outcome, status, stream, estimatedTokens, firstByteMs, durationMs, atMs, provider, line] = row;
  const receiptDetails = line === ON_ITS_LINE ? nextDetails() : line;
  return {
    outcome,
    status,
    stream,
    estimatedTokens,
    firstByteMs,
    durationMs,
    atMs,
    provider,
    receiptDetails,
  };
}

type Posting<Kind extends LedgerOperation["kind"]> = Extract<LedgerOperation, { kind: Kind }>;
type OnWire<Moved> = Omit<Moved, "amount"> & { readonly amount: number | string };

/** Payments and corrections, with their amounts encoded. */
type PostingWire =
  | {
      readonly pay: Omit<Posting<"payment">, "payment">;
      readonly payment: OnWire<Payment> | OnWire<ImportedPayment>;
    }
  | {
      readonly import: Omit<Posting<"payments">, "payments">;
      readonly payments: readonly OnWire<ImportedPayment>[];
    }
  | {
      readonly correct: Omit<Posting<"correction">, "correction">;
      readonly correction: Omit<Correction, "amount"> & { readonly amount: number | string | null };
    };

function encodePosting(operation: Posting<"payment" | "payments" | "correction">): PostingWire {
  switch (operation.kind) {
    case "payment": {
      const { payment, ...pay } = operation;
      return { pay, payment: { ...payment, amount: toWire(payment.amount) } };
    }
    case "payments": {
      const { payments, ...rest } = operation;
      const onWire = payments.map((payment) => ({ ...payment, amount: toWire(payment.amount) }));
      return { import: rest, payments: onWire };
    }
    case "correction": {
      const { correction, ...correct } = operation;
      const { amount } = correction;
      return { correct, correction: { ...correction, amount: amount && toWire(amount) } };
    }
  }
}

function decodePosting(wire: PostingWire): LedgerOperation {
  if ("pay" in wire)
    return { ...wire.pay, payment: { ...wire.payment, amount: readNano(wire.payment.amount) } };
  if ("import" in wire) {
    const payments = wire.payments.map((payment) => ({ ...payment, amount: readNano(payment.amount) }));
    return { ...wire.import, payments };
  }
  const { amount } = wire.correction;
  return {
    ...wire.correct,
    correction: { ...wire.correction, amount: amount === null ? null : readNano(amount) },
  };
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** Writing a bigint takes three times as long as writing a number, and half as long as writing the whole row. */
function toWire(amount: bigint): number | string {
  return amount <= MAX_EXACT && amount >= 0n ? Number(amount) : `${amount}`;
}
