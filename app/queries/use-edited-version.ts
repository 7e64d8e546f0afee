"use client";

import { useState } from "react";
import { countChanges } from "@/components/form/count-changes";

type Editing<Saved, Values, Name extends keyof Values> = {
  /** The object as it was read last. */
  saved: Saved;
  typed: Values;
  names: readonly Name[];
  toValues: (saved: Saved) => Values;
};

/**
 * The object that a form changes: the latest that was read, unless somebody else changed in it what is being typed here. Then
 * it stays the one that was seen when the typing began, and the save is refused as stale instead of taking the other's away.
 */
export function useEditedVersion<Saved, Values, Name extends keyof Values>(
  editing: Editing<Saved, Values, Name>,
): [Saved, (saved: Saved) => void] {
  const { saved, typed, names, toValues } = editing;
  const [edited, setEdited] = useState(saved);
  const [seen, setSeen] = useState(saved);
  if (saved !== seen) {
    setSeen(saved);
    const [old, now] = [toValues(edited), toValues(saved)];
    const isTyped = (name: Name) => countChanges(old[name], typed[name]) > 0;
    if (names.every((name) => !isTyped(name) || countChanges(old[name], now[name]) === 0)) setEdited(saved);
  }
  return [edited, setEdited];
}
