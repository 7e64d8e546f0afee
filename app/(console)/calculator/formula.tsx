import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { groupDigits } from "@/components/ui/group-digits";
import { formatAmount, type Nano } from "@/lib/money/amount";
import type { Computed } from "./calculate";

type FormulaProps = {
  rate: Nano | null;
  payment: Nano | null;
  worth: Nano | null;
  /** From the worth, where that was typed. */
  computedPayment: Computed | null;
  /** From the payment, where that was typed. */
  computedWorth: Computed | null;
};

/** The arithmetic as it stands, and a link that shows it again. */
export function Formula({ rate, payment, worth, computedPayment, computedWorth }: FormulaProps) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3">
      <p role="status">
        {rate !== null && payment !== null && computedWorth ? (
          <Line left={payment} sign="÷" rate={rate} result={computedWorth} />
        ) : rate !== null && worth !== null && computedPayment ? (
          <Line left={worth} sign="×" rate={rate} result={computedPayment} />
        ) : (
          <span className="text-muted">worth = payment ÷ model rate</span>
        )}
      </p>
      <CopyButton text={typeof window === "undefined" ? "" : window.location.href} what="link" labelled />
    </Card>
  );
}

function Line({ left, sign, rate, result }: { left: Nano; sign: string; rate: Nano; result: Computed }) {
  return (
    <>
      <span className="font-medium">{write(left)}</span> {sign} {writeRate(rate)}{" "}
      {result.isRounded ? "≈" : "="} <span className="font-medium">{write(result.amount)}</span>
    </>
  );
}

const write = (amount: Nano) => groupDigits(formatAmount(amount));
/** As people write a rate: 0.2, not 0.20. */
const writeRate = (rate: Nano) => write(rate).replace(/\.?0+$/, "");
