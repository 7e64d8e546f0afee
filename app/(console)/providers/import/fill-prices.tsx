"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { countNouns } from "@/components/ui/values/group-digits";
import { isPrice } from "./import-choices";

type FillPricesProps = {
  /** How many models have no known price. */
  count: number;
  currency: string;
  /** Whether they run on a machine of one's own, so that a token usually costs nothing. */
  isLocal: boolean;
  /** Ticks these models at these prices per 1 million tokens. */
  fill: (prices: { input: string; output: string }) => void;
};

/** One price for all models that have none: those of a server of one's own, or of a contract. */
export function FillPrices({ count, currency, isLocal, fill }: FillPricesProps) {
  const [typed, setTyped] = useState(isLocal ? { input: "0.00", output: "0.00" } : { input: "", output: "" });
  const boxes = [
    ["input", "Input"],
    ["output", "Output"],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-surface px-3 py-2 text-sm">
      <p className="min-w-48 flex-1">
        <span className="font-medium">{countNouns(count, "model")} without a known price.</span>{" "}
        <span className="text-muted">
          {isLocal
            ? `On your own machine tokens are free, or cost what you say. ${currency} per 1M tokens.`
            : `One price for all, in ${currency} per 1M tokens.`}
        </span>
      </p>
      {boxes.map(([name, label]) => (
        <label key={name} className="flex items-center gap-1.5 text-muted">
          {label}
          <input
            aria-label={`${label} price of all without one`}
            inputMode="decimal"
            autoComplete="off"
            value={typed[name]}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            className="field h-8 w-18 text-right text-foreground tabular-nums pointer-coarse:h-11"
          />
        </label>
      ))}
      <Button
        size="small"
        disabled={!isPrice(typed.input) || !isPrice(typed.output)}
        onClick={() => fill({ input: typed.input.trim(), output: typed.output.trim() })}
      >
        Tick at this price
      </Button>
    </div>
  );
}
