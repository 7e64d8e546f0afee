import { isZeroDecimal } from "@/lib/money/amount";
import { formatDecimal } from "./group-digits";

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
      {formatDecimal(amount).replace("-", "−")}
      {currency && (
        <>
          {" "}
          <span className="text-[0.8em] font-normal text-muted">{currency}</span>
        </>
      )}
    </data>
  );
}
