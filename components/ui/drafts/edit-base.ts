"use client";

import { useEffect } from "react";

type EditBase = {
  /** The object being edited, with its version. */
  object: object;
  /** Replaces the base. Null means the object read last. */
  rebase: (object: object | null) => void;
};

/** Bases by the form's `control`. A form for a new object has none. */
const bases = new WeakMap<object, EditBase>();

/** Registers the object that the form's draft is based on. `object` must be JSON. */
export function useEditBase(control: object, object: object, rebase: EditBase["rebase"]): void {
  useEffect(() => {
    bases.set(control, { object, rebase });
  });
}

export function findEditBase(control: object): object | null {
  return bases.get(control)?.object ?? null;
}

/** Takes effect before the next render, so that a draft stored at once has the new base. */
export function rebaseEdit(control: object, object: object | null): void {
  const base = bases.get(control);
  if (!base) return;
  if (object) bases.set(control, { ...base, object });
  base.rebase(object);
}
