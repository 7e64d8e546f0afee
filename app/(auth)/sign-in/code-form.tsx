"use client";

import { type SubmitEvent, startTransition, useState } from "react";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths, safeNext } from "@/lib/console/paths";
import type { SignInStep } from "@/lib/console/sign-in/sign-in-form";
import { RefusalNotice } from "../refusal-notice";
import { CodeField } from "./code-field";

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
