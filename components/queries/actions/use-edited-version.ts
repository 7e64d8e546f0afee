"use client";

import { useState } from "react";
import { countChanges } from "@/components/ui/drafts/count-changes";
import { useEditBase } from "@/components/ui/drafts/edit-base";

type Editing<Saved, Values, Name extends keyof Values> = {
  /** The form's `control`. */
  control: object;
  /** The object as read last. */
  saved: Saved;
  typed: Values;
  names: readonly Name[];
  toValues: (saved: Saved) => Values;
};

/**
 * Returns the object that a form's changes are based on: the latest, unless somebody else has changed a field being
 * edited. Then it stays the earlier one, and the save is refused as stale. A draft stores it and restores it.
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
    // Compared with the saved object in the next render, when the form has the restored values.
    setEdited((object as Saved | null) ?? saved);
    setSeen((object as Saved | null) ?? saved);
  });
  return [edited, setEdited];
}
