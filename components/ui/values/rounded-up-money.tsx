import { formatAmount, type Nano } from "@/lib/money/amount";
import { Money } from "./money";
import { roundUp } from "./round-up";

type RoundedUpMoneyProps = {
  /** An amount of at least 0. */
  amount: Nano;
  currency: string;
  /** Shows `≈` also where nothing was rounded: the amount is an estimate. */
  isEstimate?: boolean;
};

/** An amount that is known in advance, in its first two digits. Hover shows the exact amount. */
export function RoundedUpMoney({ amount, currency, isEstimate = false }: RoundedUpMoneyProps) {
  const short = roundUp(amount);
  const isRounded = short !== amount;
  return (
    <span title={isRounded ? formatAmount(amount) : undefined}>
      <Money amount={formatAmount(short)} currency={currency} isApproximate={isEstimate || isRounded} />
    </span>
  );
}
