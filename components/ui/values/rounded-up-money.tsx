import { formatAmount, NANO_PER_CENT, type Nano, toNano } from "@/lib/money/amount";
import { Money } from "./money";

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

const KEPT_DIGITS = 2;

/**
 * Rounds a positive amount up to its first two digits, or to cents if that is finer: 0.06520564 to 0.066, 12.341 to
 * 12.35.
 */
export function roundUp(amount: Nano): Nano {
  const first = 10n ** BigInt(Math.max(0, String(amount).length - KEPT_DIGITS));
  const step = first < NANO_PER_CENT ? first : NANO_PER_CENT;
  const rest = amount % step;
  return rest === 0n ? amount : toNano(amount - rest + step);
}
