"use client";

import { useState } from "react";
import { countChanges } from "@/components/form/count-changes";
import { useEditBase } from "@/components/form/edit-base";

type Editing<Saved, Values, Name extends keyof Values> = {
  /** The form's. */
  control: object;
  /** The object as it was read last. */
  saved: Saved;
  typed: Values;
  names: readonly Name[];
  toValues: (saved: Saved) => Values;
};

/**
 * The object that a form changes: the latest that was read, unless somebody else changed in it what is being typed here. Then
 * it stays the one that was seen when the typing began, and the save is refused as stale instead of taking the other's away.
 * A draft keeps it, and begins with it again when it is restored.
 */
export function useEditedVersion<Saved extends object, Values, Name extends keyof Values>(
  editing: Editing<Saved, Values, Name>,
): [Saved, (saved: Saved) => void] {
  const { control, saved, typed, names, toValues } = editing;
  const [edited, setEdited] = useState(saved);
  const [seen, setSeen] = useState(saved);
  if (saved !== seen) {
    setSeen(saved);
    const [old, now] = [toValues(edited), toValues(saved)];
    const differs = (name: Name, one: Values, other: Values) => countChanges(one[name], other[name]) > 0;
    const isContested = (name: Name) =>
      differs(name, old, typed) && differs(name, old, now) && differs(name, now, typed);
    if (!names.some(isContested)) setEdited(saved);
  }
  useEditBase(control, edited, (object) => {
    // Compared with what is saved in the next render, which has the restored values.
    setEdited((object as Saved | null) ?? saved);
    setSeen((object as Saved | null) ?? saved);
  });
  return [edited, setEdited];
}
