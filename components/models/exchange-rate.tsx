"use client";

import { useId } from "react";

type ExchangeRateProps = {
  /** That of the organization. */
  currency: string;
  value: string;
  change: (typed: string) => void;
  help?: string;
};

/** The currency of list prices, as the catalogue has them. */
export const LIST_CURRENCY = "USD";

/** Asks what list prices are worth here, where they are in another currency. */
export function ExchangeRate({ currency, value, change, help }: ExchangeRateProps) {
  const id = useId();
  if (currency === LIST_CURRENCY) return null;
  return (
    <div className="grid max-w-80 gap-1.5">
      <label htmlFor={id} className="font-medium">
        1 {LIST_CURRENCY} in {currency}
      </label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onChange={({ target }) => change(target.value)}
        className="field h-9 pointer-coarse:h-11"
      />
      {help && <span className="text-sm text-muted">{help}</span>}
    </div>
  );
}
