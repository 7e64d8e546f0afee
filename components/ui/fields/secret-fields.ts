"use client";

import { useEffect } from "react";

/** Names of the secret fields, by the form's `control`. */
const markedFields = new WeakMap<object, Set<string>>();

const SECRET_NAME = /(^|_)(password|secret|token|key|code)$/;

/**
 * Marks a field as secret. Every field that hides its text must call this; its value is then never stored in a draft.
 */
export function useSecretField(control: object, name: string, isSecret = true): void {
  useEffect(() => {
    if (!isSecret) return;
    const names = markedFields.get(control) ?? new Set();
    markedFields.set(control, names.add(name));
  }, [control, name, isSecret]);
}

/** Removes values whose field is marked as secret or has a secret's name. */
export function withoutSecrets(control: object, values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !SECRET_NAME.test(name) && !hasSecretWithin(control, name)),
  );
}

function hasSecretWithin(control: object, name: string): boolean {
  return [...(markedFields.get(control) ?? [])].some(
    (secret) => secret === name || secret.startsWith(`${name}.`),
  );
}
