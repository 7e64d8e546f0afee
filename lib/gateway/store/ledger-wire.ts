import { type Nano, toNano } from "@/lib/money/amount";
import type { HoldDraft, Payment, Settlement } from "../balance/ledger-writer";
import type { LedgerOperation } from "./ledger-operation";

/**
 * Operations cross to the writer thread as one text: a string is handed over at once, while objects are cloned one by one.
 * JSON knows no bigint, so amounts travel as decimal text.
 */
export function encodeOperations(operations: readonly LedgerOperation[]): string {
  return JSON.stringify(operations.map(encode));
}

export function decodeOperations(text: string): LedgerOperation[] {
  return (JSON.parse(text) as Wire[]).map(decode);
}

type AsText<Value, Amounts extends keyof Value> = Omit<Value, Amounts> & Record<Amounts, string>;
type WireHold = AsText<Omit<HoldDraft, "price">, "amount"> & {
  price: Record<keyof HoldDraft["price"], string>;
};
type Wire =
  | Exclude<LedgerOperation, { kind: "hold" | "settle" | "payment" }>
  | { kind: "hold"; hold: WireHold }
  | { kind: "settle"; settlement: AsText<Settlement, "charge"> }
  | (Omit<Extract<LedgerOperation, { kind: "payment" }>, "payment"> & { payment: AsText<Payment, "amount"> });

function encode(operation: LedgerOperation): Wire {
  switch (operation.kind) {
    case "hold": {
      const { price, amount } = operation.hold;
      const { inputPer1m, outputPer1m, rate } = price;
      const prices = { inputPer1m: `${inputPer1m}`, outputPer1m: `${outputPer1m}`, rate: `${rate}` };
      return { kind: "hold", hold: { ...operation.hold, amount: `${amount}`, price: prices } };
    }
    case "settle": {
      const { settlement } = operation;
      return { kind: "settle", settlement: { ...settlement, charge: `${settlement.charge}` } };
    }
    case "payment":
      return { ...operation, payment: { ...operation.payment, amount: `${operation.payment.amount}` } };
    default:
      return operation;
  }
}

function decode(wire: Wire): LedgerOperation {
  switch (wire.kind) {
    case "hold": {
      const { inputPer1m, outputPer1m, rate } = wire.hold.price;
      const price = { inputPer1m: nano(inputPer1m), outputPer1m: nano(outputPer1m), rate: nano(rate) };
      return { kind: "hold", hold: { ...wire.hold, amount: nano(wire.hold.amount), price } };
    }
    case "settle":
      return { kind: "settle", settlement: { ...wire.settlement, charge: nano(wire.settlement.charge) } };
    case "payment":
      return { ...wire, payment: { ...wire.payment, amount: nano(wire.payment.amount) } };
    default:
      return wire;
  }
}

const nano = (text: string): Nano => toNano(BigInt(text));
