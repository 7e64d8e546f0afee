"use client";

import { useEffect } from "react";

type EditBase = {
  /** The object that the form's changes are typed against, with its version. */
  object: object;
  /** Takes another for it; with null, the one that was read last. */
  rebase: (object: object | null) => void;
};

/** By form (its `control`). A form that makes something new has none. */
const bases = new WeakMap<object, EditBase>();

/** Tells a form's draft what is changed in it. `object` must be JSON. */
export function useEditBase(control: object, object: object, rebase: EditBase["rebase"]): void {
  useEffect(() => {
    bases.set(control, { object, rebase });
  });
}

export function editBaseOf(control: object): object | null {
  return bases.get(control)?.object ?? null;
}

/** Before the next render too: a draft that is kept at once is kept with this object. */
export function rebaseEdit(control: object, object: object | null): void {
  const base = bases.get(control);
  if (!base) return;
  if (object) bases.set(control, { ...base, object });
  base.rebase(object);
}
