import { Money } from "@/components/ui/money";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { roundUp } from "./round-up";

type RoundedUpMoneyProps = {
  /** A positive amount, as the contract writes it. */
  amount: string;
  currency: string;
  /** Shows `≈` also where nothing was rounded: the amount is an estimate. */
  isEstimate?: boolean;
};

/** An amount that is known in advance, in its first two digits. Pointing at it shows it exactly. */
export function RoundedUpMoney({ amount, currency, isEstimate = false }: RoundedUpMoneyProps) {
  const short = formatAmount(roundUp(parseCheckedAmount(amount)));
  const isRounded = short !== formatAmount(parseCheckedAmount(amount));
  return (
    <span title={isRounded ? amount : undefined}>
      <Money amount={short} currency={currency} approximate={isEstimate || isRounded} />
    </span>
  );
}
