import { groupDigits, trimDecimal } from "./group-digits";

type MoneyProps = {
  /** A decimal string, as on the wire. */
  amount: string;
  /** Left out in a column whose head names it. */
  currency?: string | undefined;
  /** Show `+` on what comes in. */
  signed?: boolean;
  /** Shows `≈`: the amount is rounded already. */
  approximate?: boolean;
};

/** An amount as it is, never rounded here: at least two decimal places, and all that count. */
export function Money({ amount, currency, signed = false, approximate = false }: MoneyProps) {
  const sign = signed && !amount.startsWith("-") && /[1-9]/.test(amount) ? "+" : "";
  return (
    <data value={amount} className="whitespace-nowrap">
      {approximate && "≈ "}
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
