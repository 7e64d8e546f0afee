"use client";

import { useSearchParams } from "next/navigation";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { FindInAddress } from "./time-range";

/**
 * Returns the read's parameters from the address, and which of the filters `names` are among them. Ranges that end now
 * are counted from `openedAt`, when the page was rendered, so that they stay fixed; a list without a range omits it.
 * `names` and `readParameters` must be stable.
 */
export function useAddressFilter<Name extends string, Parameters extends Partial<Record<Name, string>>>(
  names: readonly Name[],
  readParameters: (findInAddress: FindInAddress, openedAt: number) => Parameters,
  openedAt = 0,
) {
  const search = useSearchParams();
  return useMemo(() => {
    const findInAddress: FindInAddress = (name) => search.get(name) ?? "";
    const parameters = readParameters(findInAddress, openedAt);
    return { findInAddress, parameters, active: names.filter((name) => parameters[name] !== undefined) };
  }, [search, names, readParameters, openedAt]);
}

/**
 * Changes several parameters of the address at once; undefined or "" removes one. `isStep` adds a history entry, for
 * changes that replace everything shown, such as a range chosen in a chart.
 */
export function changeAddress(
  changes: Readonly<Record<string, string | undefined>>,
  { isStep = false } = {},
): void {
  const parameters = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const query = parameters.toString();
  const address = query ? `?${query}` : window.location.pathname;
  if (isStep) window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
}

/**
 * A parameter of the address as state; "" if it is absent. Changing it makes no request to the server and adds no
 * history entry.
 */
export function useUrlParameter(name: string): [string, (value: string) => void] {
  const value = useSearchParams().get(name) ?? "";
  const setValue = useCallback((next: string) => changeAddress({ [name]: next }), [name]);
  return [value, setValue];
}

const SETTLE_MS = 150;

/** How often the surrounding filters were cleared. */
export const ClearedContext = createContext(0);

/**
 * A parameter of the address bound to a text field. Updates the address after a pause. `clean` converts the text to the
 * parameter's value.
 */
export function useTypedParameter(
  parameter: string,
  clean: (text: string) => string = (text) => text,
): [string, (text: string) => void] {
  const [value, setValue] = useUrlParameter(parameter);
  const [text, setText] = useState(value);
  const lastWritten = useRef(value);
  const clearedCount = useContext(ClearedContext);
  const seenCount = useRef(clearedCount);

  // Follows changes of the address from elsewhere. Our own change is skipped: more may have been typed when it arrives.
  useEffect(() => {
    if (value === lastWritten.current) return;
    lastWritten.current = value;
    setText(value);
  }, [value]);
  // Clearing also takes text that isn't in the address, because it is invalid or was typed a moment ago.
  useEffect(() => {
    if (clearedCount === seenCount.current) return;
    seenCount.current = clearedCount;
    lastWritten.current = "";
    setText("");
  }, [clearedCount]);
  useEffect(() => {
    const cleanText = clean(text);
    if (cleanText === lastWritten.current) return;
    const timer = setTimeout(() => {
      lastWritten.current = cleanText;
      setValue(cleanText);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, clean, setValue]);

  return [text, setText];
}
