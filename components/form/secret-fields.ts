"use client";

import { useEffect } from "react";

/** By form (its `control`), the names of the fields that are drawn as secrets. */
const marked = new WeakMap<object, Set<string>>();
const SECRET_NAME = /(^|_)(password|secret|token|key|code)$/;

/** Every field that hides what is typed calls this, and is never kept. */
export function useSecretField(control: object, name: string, isSecret = true): void {
  useEffect(() => {
    if (!isSecret) return;
    const names = marked.get(control) ?? new Set();
    marked.set(control, names.add(name));
  }, [control, name, isSecret]);
}

/** The values without any that is drawn as a secret or named like one. */
export function withoutSecrets(control: object, values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !SECRET_NAME.test(name) && !hasSecretWithin(control, name)),
  );
}

function hasSecretWithin(control: object, name: string): boolean {
  return [...(marked.get(control) ?? [])].some((secret) => secret === name || secret.startsWith(`${name}.`));
}
