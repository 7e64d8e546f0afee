import { readNano } from "@/lib/money/amount";
import type { Correction, ImportedPayment, Payment } from "../payments/posting";
import type { LedgerOperation } from "./ledger-operation";

type Posting<Kind extends LedgerOperation["kind"]> = Extract<LedgerOperation, { kind: Kind }>;
type OnWire<Moved> = Omit<Moved, "amount"> & { readonly amount: number | string };

/** Payments and corrections, with their amounts encoded. */
export type PostingWire =
  | { readonly pay: Omit<Posting<"payment">, "payment">; readonly payment: OnWire<Payment> }
  | {
      readonly import: Omit<Posting<"payments">, "payments">;
      readonly payments: readonly OnWire<ImportedPayment>[];
    }
  | {
      readonly correct: Omit<Posting<"correction">, "correction">;
      readonly correction: Omit<Correction, "amount"> & { readonly amount: number | string | null };
    };

export function encodePosting(operation: Posting<"payment" | "payments" | "correction">): PostingWire {
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

export function decodePosting(wire: PostingWire): LedgerOperation {
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
export function toWire(amount: bigint): number | string {
  return amount <= MAX_EXACT && amount >= 0n ? Number(amount) : `${amount}`;
}
