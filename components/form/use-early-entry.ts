"use client";

import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const never = () => () => {};

/**
 * Enters into the form what somebody typed or chose before the page's script had loaded. The browser has it in the field of this id, and
 * React would write the form's value over it.
 */
export function useEarlyEntry(id: string, enter: (value: string) => void): void {
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const enterLate = useEffectEvent(enter);

  useLayoutEffect(() => {
    if (!isHydrating) return;
    const control = document.getElementById(id) as Control | null;
    const early = control && earlyEntryOf(control);
    // After the effect in which the form takes up the saved values: that of a component around this one.
    if (early !== null) queueMicrotask(() => enterLate(early));
  }, [id, isHydrating]);
}

/** What the field holds, where that isn't what the server sent. */
function earlyEntryOf(control: Control): string | null {
  if (!(control instanceof HTMLSelectElement)) {
    return control.value === control.defaultValue ? null : control.value;
  }
  const options = [...control.options];
  const sent =
    options.find(({ defaultSelected }) => defaultSelected) ?? options.find(({ disabled }) => !disabled);
  return control.value === (sent?.value ?? "") ? null : control.value;
}
