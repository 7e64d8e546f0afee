"use client";

import { type SubmitEvent, startTransition, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths, safeNext } from "@/lib/console/paths";
import type { SignInStep } from "@/lib/console/sign-in/sign-in-form";
import { RefusalNotice } from "../refusal-notice";

type CodeFormProps = {
  step: Extract<SignInStep, { kind: "code" }>;
  submit: (form: FormData) => void;
  isPending: boolean;
  next: string;
};

/** The second step: the app's six digits, submitted automatically, or a backup code. */
export function CodeForm({ step, submit, isPending, next }: CodeFormProps) {
  const { email, challenge } = step;
  const [isBackup, setIsBackup] = useState(false);
  const [seen, setSeen] = useState<Problem | null>(null);
  // An error about one kind of code doesn't apply to the other.
  const refusal = step.refusal === seen ? null : step.refusal;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (!isPending) startTransition(() => submit(data));
  };
  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !refusal.fields.code && <RefusalNotice refusal={refusal} title="Not signed in" />}
      <p className="break-words text-muted">
        Signing in as <span className="text-foreground">{email}</span>.{" "}
        {/* Not a client-side link: reloading the page discards this step. */}
        <a
          href={paths.signIn(next === safeNext(null) ? {} : { next })}
          className="rounded-sm text-accent-text underline underline-offset-2"
        >
          Start over
        </a>
      </p>
      {Object.entries({ email, challenge, next }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <CodeField key={String(isBackup)} isBackup={isBackup} refusal={refusal} />
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Sign in
      </Button>
      <p className="noscript:hidden">
        <button
          type="button"
          onClick={() => {
            setIsBackup(!isBackup);
            setSeen(step.refusal);
          }}
          className="rounded-sm text-accent-text underline-offset-2 hover:underline"
        >
          {isBackup ? "Use the app’s code instead" : "Use a backup code instead"}
        </button>
      </p>
    </form>
  );
}

type CodeFieldProps = { isBackup: boolean; refusal: Problem | null };

/** A code field with initial focus. Submits its form as soon as it has the app's six digits. */
function CodeField({ isBackup, refusal }: CodeFieldProps) {
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
