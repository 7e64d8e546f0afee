"use client";

import { useEffectEvent, useLayoutEffect } from "react";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Takes over what the person entered before the page's script loaded. React would otherwise overwrite the field with
 * this id with the form's value.
 */
export function useEarlyEntry(id: string, enter: (value: string) => void): void {
  const isHydrated = useIsHydrated();
  const enterLate = useEffectEvent(enter);

  useLayoutEffect(() => {
    if (isHydrated) return;
    const control = document.getElementById(id) as Control | null;
    const early = control && readEarlyEntry(control);
    // Wait until the parent component's effect has loaded the saved values into the form.
    if (early !== null) queueMicrotask(() => enterLate(early));
  }, [id, isHydrated]);
}

/** Returns the field's value if it differs from what the server sent. */
function readEarlyEntry(control: Control): string | null {
  if (!(control instanceof HTMLSelectElement)) {
    return control.value === control.defaultValue ? null : control.value;
  }
  const options = [...control.options];
  const initialOption =
    options.find(({ defaultSelected }) => defaultSelected) ?? options.find(({ disabled }) => !disabled);
  return control.value === (initialOption?.value ?? "") ? null : control.value;
}
