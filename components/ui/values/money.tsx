import { formatAmount, isZeroDecimal, NANO_PER_CENT, type Nano, toNano } from "@/lib/money/amount";
import { countPlaces, groupDigits, trimDecimal } from "./group-digits";
import { roundToCents } from "./write-figures";

type MoneyProps = {
  /** A decimal string, as on the wire. */
  amount: string;
  /** Omitted in a column whose head names the currency. */
  currency?: string | undefined;
  /** Shows `+` on positive amounts. */
  isSigned?: boolean;
  /** Shows `≈`: the amount has been rounded. */
  isApproximate?: boolean;
};

/** An exact amount with at least two decimal places and a true minus sign. Never rounds. */
export function Money({ amount, currency, isSigned = false, isApproximate = false }: MoneyProps) {
  const sign = isSigned && !amount.startsWith("-") && !isZeroDecimal(amount) ? "+" : "";
  return (
    <data value={amount} className="whitespace-nowrap">
      {isApproximate && "≈ "}
      {sign}
      {groupDigits(trimDecimal(amount)).replace("-", "−")}
      {currency && (
        <>
          {" "}
          <span className="text-[0.8em] font-normal text-muted">{currency}</span>
        </>
      )}
    </data>
  );
}

type AlignedMoneyProps = {
  amount: string;
  /** All amounts of the column. Its head names their currency. */
  column: readonly string[];
};

/** An amount of a column. The digits that it lacks are laid out unseen, so that the points are aligned. */
export function AlignedMoney({ amount, column }: AlignedMoneyProps) {
  const places = Math.max(...[amount, ...column].map(countPlaces));
  return (
    <span className="whitespace-nowrap" data-missing-places={"0".repeat(places - countPlaces(amount))}>
      <Money amount={amount} />
    </span>
  );
}

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
