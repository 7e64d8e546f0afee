"use client";

import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { Notice } from "@/components/ui/notice";
import { Money } from "@/components/ui/values/money";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { parseAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { findUsualPayment } from "./unusual-payment";

/** The payments that tell what is usual. */
const PAST = { kind: "payment", limit: "20" };

/** Whether a typed payment is far above the usual, and was asked about. Another amount is asked about anew. */
export function useUnusualQuestion(amount: string) {
  const past = useRead("listLedger", PAST).data?.data ?? [];
  const [askedAmount, setAskedAmount] = useState<string | null>(null);
  const usual = findUsualPayment(
    amount,
    past.map((payment) => payment.amount),
  );
  return { usual, isAsked: usual !== null && askedAmount === amount, ask: () => setAskedAmount(amount) };
}

type UnusualNoticeProps = { amount: string; usual: string; currency: string | undefined };

/** Asks about a payment far above the usual. */
export function UnusualNotice({ amount, usual, currency }: UnusualNoticeProps) {
  return (
    <Notice tone="near" role="alert" title="This payment is far above the usual">
      You are recording <Money amount={amount} currency={currency} />. A usual payment is{" "}
      <Money amount={usual} currency={currency} />. Compare it with the bank statement, then record it.
    </Notice>
  );
}

/** What is available once a typed payment is recorded. Nothing for people who can't see the balance. */
export function BalanceAfter({ amount }: { amount: string }) {
  const balance = useRead("retrieveBalance").data;
  const paid = parseAmount(amount);
  if (!balance || paid === null) return null;
  const after = toNano(parseCheckedAmount(balance.available) + paid);
  return (
    <p role="status" className="-mt-3 text-sm text-muted">
      Available afterwards: <RoundedMoney amount={after} currency={balance.currency} />
    </p>
  );
}
