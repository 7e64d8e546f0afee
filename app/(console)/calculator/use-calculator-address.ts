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
  "in",
  "out",
  "mix",
  "until",
  "at",
  "prices",
] as const;
type Name = (typeof names)[number];

/** What the address says; null for what it leaves to the calculator. An emptied box is empty text. */
export type Asked = Readonly<Record<Name, string | null>>;

/**
 * What is asked, begun from the address and written back to it, so that a link shows the same. Kept beside the address: that
 * follows a moment later, and a text box that waits for it would move the caret.
 */
export function useCalculatorAddress(): [Asked, (change: Partial<Asked>) => void] {
  const parameters = useSearchParams();
  const [asked, setAsked] = useState<Asked>(
    () => Object.fromEntries(names.map((name) => [name, parameters.get(name)])) as Asked,
  );
  function change(part: Partial<Asked>) {
    const next = { ...asked, ...part };
    setAsked(next);
    window.history.replaceState(null, "", addressOf(next));
  }
  return [asked, change];
}

/** The address that shows the same. */
export function addressOf(asked: Asked): string {
  const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== null);
  return given.length > 0 ? `${paths.calculator()}?${new URLSearchParams(given)}` : paths.calculator();
}
