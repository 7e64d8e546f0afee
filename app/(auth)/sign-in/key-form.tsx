"use client";

import { startTransition, useActionState, useEffect, useId } from "react";
import { useForm } from "react-hook-form";
import { RefusalNotice } from "@/app/(auth)/refusal-notice";
import { Button } from "@/components/ui/button";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { SecretInput } from "@/components/ui/fields/secret-input";
import { lateSchema } from "@/components/ui/form/late-schema";
import type { KeySignIn } from "@/lib/console/sign-in/sign-in-form";
import { submitKey } from "./actions";

const { resolver, preload } = lateSchema<KeySignIn>(
  () => import("./sign-in-schemas").then((file) => file.keySignIn),
  { isSentUnchecked: true },
);

/** Signs in with a pasted key. Works as a plain form before and without its script. */
export function KeyForm({ next }: { next: string }) {
  const [reply, submit, isPending] = useActionState(submitKey, null);
  const id = useId();
  // No default value, so that text typed before the script loaded is kept.
  const form = useForm<KeySignIn>({ resolver });

  useEffect(preload, []);

  const refusal = reply && !reply.ok ? reply : null;
  const error = form.formState.errors.key?.message ?? refusal?.fields.key;
  const send = form.handleSubmit(({ key }) => {
    const data = new FormData();
    data.set("key", key);
    data.set("next", next);
    startTransition(() => submit(data));
  });

  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !refusal.fields.key && <RefusalNotice refusal={refusal} title="Not signed in" />}
      <input type="hidden" name="next" value={next} />
      <Field
        id={id}
        label="Admin key"
        error={error}
        help="Printed once, when the gateway first started. It starts with gk_admin_. If it is lost, “npm run sign-in-link” prints a link. For another gateway, paste its access token."
      >
        <SecretInput
          {...form.register("key")}
          {...fieldAttributes(id, error)}
          what="key"
          autoComplete="off"
          data-1p-ignore
          className="font-mono text-sm"
        />
      </Field>
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}
