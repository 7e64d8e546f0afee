import { formatAmount, type Nano } from "@/lib/money/amount";
import { Money } from "./money";
import { roundToCents } from "./write-figures";

type RoundedMoneyProps = { amount: Nano; isRounded?: boolean; currency?: string | undefined };

/** Rounds to cents; amounts below a cent stay exact. `≈` marks rounding, and hover shows the exact amount. */
export function RoundedMoney({ amount, isRounded = false, currency }: RoundedMoneyProps) {
  const short = roundToCents(amount);
  const isShort = short !== amount;
  return (
    <span title={isShort ? formatAmount(amount) : undefined}>
      <Money amount={formatAmount(short)} currency={currency} isApproximate={isShort || isRounded} />
    </span>
  );
}
