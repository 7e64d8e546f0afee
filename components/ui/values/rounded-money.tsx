import { formatAmount, type Nano } from "@/lib/money/amount";
import { Money } from "./money";
import { formatShortAmount } from "./write-figures";

type RoundedMoneyProps = { amount: Nano; isRounded?: boolean; currency?: string | undefined };

/** Rounds to cents; amounts below a cent stay exact. `≈` marks rounding, and hover shows the exact amount. */
export function RoundedMoney({ amount, isRounded = false, currency }: RoundedMoneyProps) {
  const exact = formatAmount(amount);
  const short = formatShortAmount(amount);
  const isShort = short.startsWith("≈");
  return (
    <span title={isShort ? exact : undefined}>
      <Money
        amount={short.replace("≈ ", "").replaceAll(",", "")}
        currency={currency}
        isApproximate={isShort || isRounded}
      />
    </span>
  );
}
