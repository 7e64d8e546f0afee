"use client";

import { useEffect, useRef } from "react";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import type { Problem } from "@/lib/console/gateway/problem";

type CodeFieldProps = { isBackup: boolean; refusal: Problem | null };

/** A code field with initial focus. Submits its form as soon as it has the app's six digits. */
export function CodeField({ isBackup, refusal }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const error = refusal?.fields.code;
  useEffect(() => {
    input.current?.focus();
    // Keep the wrong code visible but selected, so that the next digit replaces it.
    if (refusal) input.current?.select();
  }, [refusal]);

  return (
    <Field
      id="code"
      label={isBackup ? "Backup code" : "Code"}
      error={error}
      help={isBackup ? "One of the codes you saved when you turned this on. Each works once." : <AppHelp />}
    >
      <input
        ref={input}
        {...fieldAttributes("code", error)}
        name="code"
        inputMode={isBackup ? "text" : "numeric"}
        autoComplete={isBackup ? "off" : "one-time-code"}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        onChange={({ target }) => {
          const isWhole = /^\d{6}$/.test(target.value.replaceAll(/\s/g, ""));
          if (isWhole && !isBackup) target.form?.requestSubmit();
        }}
        className="field h-9 font-mono pointer-coarse:h-11"
      />
    </Field>
  );
}

function AppHelp() {
  return (
    <>
      The six digits that your authenticator app shows now.
      <span className="hidden noscript:inline"> A backup code works here too.</span>
    </>
  );
}
