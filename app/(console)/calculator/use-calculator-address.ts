"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { paths } from "@/lib/console/paths";

const names = [
  "payment",
  "worth",
  "model",
  "rate",
  "price_in",
  "price_out",
  "price_unit",
  "in",
  "out",
  "units",
  "mix",
  "until",
  "at",
  "prices",
] as const;
type Name = (typeof names)[number];

/** Parameters of the address; null if absent, so that the calculator uses its default. An emptied box is "". */
export type Asked = Readonly<Record<Name, string | null>>;

/**
 * The calculator's input, read from the address once and written back, so that the link shows the same. Kept as state
 * too: the address updates later, and a text box bound to it would lose its caret position.
 */
export function useCalculatorAddress(): [Asked, (change: Partial<Asked>) => void] {
  const parameters = useSearchParams();
  const [asked, setAsked] = useState<Asked>(
    () => Object.fromEntries(names.map((name) => [name, parameters.get(name)])) as Asked,
  );
  function change(part: Partial<Asked>) {
    const next = { ...asked, ...part };
    setAsked(next);
    window.history.replaceState(null, "", paths.calculator(next));
  }
  return [asked, change];
}
