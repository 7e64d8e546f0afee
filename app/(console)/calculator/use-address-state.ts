"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";

type Values = Readonly<Record<string, string>>;

/**
 * What is typed, begun from the address, `complete`d, and written back to it, so that a link shows the same. Kept beside the address:
 * that follows a moment later, and a text box that waits for it would move the caret.
 */
export function useAddressState<State extends Values>(
  initial: State,
  complete: (given: State) => State,
): [State, (change: Partial<State>) => void] {
  const parameters = useSearchParams();
  const [state, setState] = useState<State>(() => {
    const given = Object.keys(initial).map((name) => [name, parameters.get(name) ?? initial[name]]);
    return complete(Object.fromEntries(given) as State);
  });
  function change(part: Partial<State>) {
    const next = { ...state, ...part };
    setState(next);
    const query = new URLSearchParams(Object.entries(next).filter(([, value]) => value !== "")).toString();
    window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
  }
  return [state, change];
}
