"use client";

import "@/components/ui/fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { startTransition, useActionState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { Notice } from "@/components/ui/notice";
import { type PasswordResetRequest, passwordResetRequest } from "@/lib/contract/operations/sign-in/passwords";
import { RefusalNotice } from "../refusal-notice";
import { submitResetRequest } from "./actions";

/** Asks for the address. The reply doesn't reveal whether it belongs to a member. */
export function ResetRequestForm() {
  const [request, submit, isPending] = useActionState(submitResetRequest, null);
  const form = useForm<PasswordResetRequest>({ resolver: standardSchemaResolver(passwordResetRequest) });
  if (request && !request.refusal) {
    return (
      <Notice tone="good" role="status" title="Check your email">
        If {request.email} is a member’s address, a link to set a new password is on its way there. It works
        once, within an hour. No email? Check your spam folder, or ask an administrator for a link.
      </Notice>
    );
  }
  const refusal = request?.refusal;
  const error = form.formState.errors.email?.message ?? refusal?.fields.email;
  const send = form.handleSubmit(({ email }) => {
    const data = new FormData();
    data.set("email", email);
    startTransition(() => submit(data));
  });
  return (
    <form action={submit} onSubmit={send} noValidate className="grid gap-4">
      {refusal && !error && <RefusalNotice refusal={refusal} title="Nothing was sent" />}
      <Field
        id="email"
        label="Email address"
        error={error}
        help="The one you sign in with. A link to set a new password is mailed to it."
      >
        <input
          {...form.register("email")}
          {...fieldAttributes("email", error)}
          type="email"
          defaultValue={request?.email}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          className="field h-9 pointer-coarse:h-11"
        />
      </Field>
      <Button type="submit" variant="primary" pending={isPending} className="h-9 w-full">
        Send the link
      </Button>
    </form>
  );
}
