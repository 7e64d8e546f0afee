import { toNano } from "@/lib/money/amount";
import type { CallEnd, HoldDraft, Payment, Settlement } from "../../balance/funds";
import type { TaskDraft } from "../../balance/held-task";
import type { LedgerOperation } from "./ledger-operation";

/**
 * Operations cross to the writer thread as one text: a string is handed over at once, where objects are cloned one by one.
 * What carries money travels as rows without names; JSON knows no bigint, so amounts are decimal text.
 */
export function encodeOperations(operations: readonly LedgerOperation[]): string {
  return JSON.stringify(operations.map(encode));
}

export function decodeOperations(text: string): LedgerOperation[] {
  return (JSON.parse(text) as Wire[]).map(decode);
}

type Wire =
  | {
      readonly hold: HoldRow;
      readonly idempotency: HoldDraft["idempotency"];
      readonly task: TaskDraft | undefined;
    }
  | {
      readonly settle: SettlementRow;
      readonly reply: Settlement["reply"];
      readonly task: Settlement["task"];
    }
  | {
      readonly pay: PaymentRow;
      readonly idempotency: Extract<LedgerOperation, { kind: "payment" }>["idempotency"];
      readonly audit: Extract<LedgerOperation, { kind: "payment" }>["audit"];
      readonly maker: Extract<LedgerOperation, { kind: "payment" }>["maker"];
    }
  | { readonly plain: Exclude<LedgerOperation, { kind: "hold" | "settle" | "payment" }> };

function encode(operation: LedgerOperation): Wire {
  switch (operation.kind) {
    case "hold":
      return {
        hold: toHoldRow(operation.hold),
        idempotency: operation.hold.idempotency,
        task: operation.task,
      };
    case "settle":
      return {
        settle: toSettlementRow(operation.settlement),
        reply: operation.settlement.reply,
        task: operation.settlement.task,
      };
    case "payment":
      return {
        pay: toPaymentRow(operation.payment),
        idempotency: operation.idempotency,
        audit: operation.audit,
        maker: operation.maker,
      };
    default:
      return { plain: operation };
  }
}

function decode(wire: Wire): LedgerOperation {
  if ("hold" in wire) {
    const { task } = wire;
    return { kind: "hold", hold: fromHoldRow(wire.hold, wire.idempotency), ...(task && { task }) };
  }
  if ("settle" in wire) {
    const { reply, task } = wire;
    return { kind: "settle", settlement: { ...fromSettlementRow(wire.settle), reply, task } };
  }
  if ("plain" in wire) return wire.plain;
  const { idempotency, audit, maker } = wire;
  return { kind: "payment", payment: fromPaymentRow(wire.pay), idempotency, audit, maker };
}

type HoldRow = ReturnType<typeof toHoldRow>;

function toHoldRow(hold: HoldDraft) {
  const { inputPer1m, outputPer1m, rate } = hold.price;
  const { id, requestId, amount, projectId, keyId, model } = hold;
  const numbers = [hold.promptTokens, hold.maxCompletionTokens, hold.createdAtMs, hold.deadlineAtMs] as const;
  const prices = [`${inputPer1m}`, `${outputPer1m}`, `${rate}`] as const;
  const perUnit = hold.price.perUnit;
  const made = [hold.taskId, hold.units, perUnit?.unit, perUnit && `${perUnit.amount}`] as const;
  return [id, requestId, `${amount}`, projectId, keyId, model, ...numbers, ...prices, ...made] as const;
}

function fromHoldRow(row: HoldRow, idempotency: HoldDraft["idempotency"]): HoldDraft {
  const [id, requestId, amount, projectId, keyId, model, promptTokens, maxCompletionTokens, ...rest] = row;
  const [createdAtMs, deadlineAtMs, inputPer1m, outputPer1m, rate, taskId, units, unit, perUnit] = rest;
  return {
    id,
    requestId,
    amount: nano(amount),
    projectId,
    keyId,
    model,
    promptTokens,
    maxCompletionTokens,
    price: {
      inputPer1m: nano(inputPer1m),
      outputPer1m: nano(outputPer1m),
      rate: nano(rate),
      ...(unit && perUnit && { perUnit: { unit, amount: nano(perUnit) } }),
    },
    createdAtMs,
    deadlineAtMs,
    // In JSON an absent value of a row is null.
    ...(units && { units }),
    ...(taskId && { taskId }),
    idempotency,
  };
}

type SettlementRow = ReturnType<typeof toSettlementRow>;

function toSettlementRow({ holdId, entryId, varianceEntryId, charge, usage, basis, end }: Settlement) {
  const { promptTokens, completionTokens, cachedTokens = null } = usage;
  return [
    holdId,
    entryId,
    varianceEntryId,
    `${charge}`,
    promptTokens,
    completionTokens,
    cachedTokens,
    usage.units,
    basis,
    ...toEndRow(end),
  ] as const;
}

function fromSettlementRow(row: SettlementRow): Omit<Settlement, "reply" | "task"> {
  const [holdId, entryId, varianceEntryId, charge, promptTokens, completionTokens, cachedTokens, ...rest] =
    row;
  const [units, basis, ...end] = rest;
  const usage = {
    promptTokens,
    completionTokens,
    ...(cachedTokens !== null && { cachedTokens }),
    // In JSON an absent value of a row is null.
    ...(units && { units }),
  };
  return {
    holdId,
    entryId,
    varianceEntryId,
    charge: nano(charge),
    usage,
    basis,
    end: fromEndRow(end),
  };
}

type EndRow = ReturnType<typeof toEndRow>;

function toEndRow(end: CallEnd) {
  const { outcome, status, stream, estimatedTokens, firstByteMs, durationMs, atMs, provider, trace } = end;
  return [outcome, status, stream, estimatedTokens, firstByteMs, durationMs, atMs, provider, trace] as const;
}

function fromEndRow([
  outcome,
  status,
  stream,
  estimatedTokens,
  firstByteMs,
  durationMs,
  atMs,
  provider,
  trace,
]: EndRow): CallEnd {
  return { outcome, status, stream, estimatedTokens, firstByteMs, durationMs, atMs, provider, trace };
}

type PaymentRow = ReturnType<typeof toPaymentRow>;

function toPaymentRow({ id, amount, reference, createdAtMs }: Payment) {
  return [id, `${amount}`, reference, createdAtMs] as const;
}

function fromPaymentRow([id, amount, reference, createdAtMs]: PaymentRow): Payment {
  return { id, amount: nano(amount), reference, createdAtMs };
}

const nano = (text: string) => toNano(BigInt(text));
