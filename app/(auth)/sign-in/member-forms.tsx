"use client";

import { type ReactNode, useActionState } from "react";
import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";
import type { SignInStep } from "@/lib/console/sign-in/sign-in-form";
import { submitPassword } from "./actions";
import { CodeForm } from "./code-form";
import { PasswordForm } from "./password-form";

const beginning: SignInStep = { kind: "password", email: "", refusal: null };

type MemberFormsProps = {
  next: string;
  /** Single sign-on, if offered. */
  above: ReactNode;
  /** A link to another way to sign in. */
  instead: ReactNode;
};

/** Asks for address and password, then for the code if the member has a second factor. */
export function MemberForms({ next, above, instead }: MemberFormsProps) {
  const [step, submit, isPending] = useActionState(submitPassword, beginning);
  if (step.kind === "code") return <CodeForm {...{ step, submit, isPending, next }} />;
  return (
    <>
      {above}
      <PasswordForm {...{ step, submit, isPending, next }} />
      <p className="-mt-2 flex flex-wrap justify-between gap-x-4 gap-y-2">
        <TextLink href={paths.forgotPassword()}>Forgot your password?</TextLink>
        {instead}
      </p>
    </>
  );
}
