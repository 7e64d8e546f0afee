import { groupDigits, trimDecimal } from "./group-digits";

type MoneyProps = {
  /** A decimal string, as on the wire. */
  amount: string;
  /** Left out in a column whose head names it. */
  currency?: string | undefined;
  /** Show `+` on what comes in. */
  signed?: boolean;
};

/** An exact amount, never rounded: at least two decimal places, and all that count. */
export function Money({ amount, currency, signed = false }: MoneyProps) {
  const sign = signed && !amount.startsWith("-") && /[1-9]/.test(amount) ? "+" : "";
  return (
    <data value={amount} className="whitespace-nowrap">
      {sign}
      {groupDigits(trimDecimal(amount))}
      {currency && (
        <>
          {" "}
          <span className="text-[0.8em] font-normal text-muted">{currency}</span>
        </>
      )}
    </data>
  );
}
