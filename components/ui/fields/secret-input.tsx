"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";

type SecretInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** What it contains, as in its button: "Show …". */
  what: string;
};

/** A hidden secret with a button that reveals it. */
export function SecretInput({ what, className, ...input }: SecretInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <input
        autoCapitalize="none"
        spellCheck={false}
        {...input}
        type={isShown ? "text" : "password"}
        className={classNames("field h-9 pr-10 pointer-coarse:h-11 pointer-coarse:pr-12", className)}
      />
      <span className="absolute inset-y-0 right-0.5 grid place-items-center noscript:hidden">
        <IconButton
          label={`${isShown ? "Hide" : "Show"} ${what}`}
          icon={isShown ? <EyeOff /> : <Eye />}
          onClick={() => setIsShown(!isShown)}
        />
      </span>
    </div>
  );
}

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
