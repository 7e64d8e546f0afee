"use client";

import { startTransition, useEffect } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { SecretInput } from "@/components/ui/fields/secret-input";
import type { SignInStep } from "@/lib/console/sign-in/sign-in-form";
import type { PasswordSignIn } from "@/lib/contract/operations/sign-in/sign-in";
import { RefusalNotice } from "../refusal-notice";
import { lateResolver } from "./late-resolver";

const { resolver, preload } = lateResolver<PasswordSignIn>(() =>
  import("./sign-in-schemas").then((file) => file.passwordSignIn),
);

type PasswordFormProps = {
  step: Extract<SignInStep, { kind: "password" }>;
  submit: (form: FormData) => void;
  isPending: boolean;
  next: string;
};

/** Works as a plain form before and without its script. */
export function PasswordForm({ step: { email, refusal }, submit, isPending, next }: PasswordFormProps) {
  // No default values, so that text typed or filled in by the browser before the script loaded is kept.
  const form = useForm<PasswordSignIn>({ resolver });
  const { errors } = form.formState;
  const findError = (name: keyof PasswordSignIn) => errors[name]?.message ?? refusal?.fields[name];

  useEffect(preload, []);

  useEffect(() => {
    if (!refusal) return;
    form.setValue("password", "");
    form.setFocus(refusal.fields.email ? "email" : "password");
  }, [refusal, form]);

  const send = form.handleSubmit((values) => {
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...values, next })) data.set(name, value);
    startTransition(() => submit(data));
  });
  const isBlamed = refusal?.fields.email || refusal?.fields.password;
  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !isBlamed && (
        <RefusalNotice refusal={refusal} title={refusal.fields.challenge ? "Start over" : "Not signed in"} />
      )}
      <input type="hidden" name="next" value={next} />
      <Field id="email" label="Email address" error={findError("email")}>
        <input
          {...form.register("email")}
          {...fieldAttributes("email", findError("email"))}
          type="email"
          defaultValue={email}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          className="field h-9 pointer-coarse:h-11"
        />
      </Field>
      <Field id="password" label="Password" error={findError("password")}>
        <SecretInput
          {...form.register("password")}
          {...fieldAttributes("password", findError("password"))}
          what="password"
          autoComplete="current-password"
        />
      </Field>
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}
