"use client";

import { type ReactNode, useActionState } from "react";
import type { SignInStep } from "@/lib/console/sign-in-form";
import { submitPassword } from "./actions";
import { CodeForm } from "./code-form";
import { PasswordForm } from "./password-form";

const beginning: SignInStep = { kind: "password", email: "", refusal: null };

type MemberFormsProps = {
  next: string;
  /** Leads to another way in. */
  instead: ReactNode;
};

/** Address and password, then the code of the second factor where the member has one. */
export function MemberForms({ next, instead }: MemberFormsProps) {
  const [step, submit, isPending] = useActionState(submitPassword, beginning);
  if (step.kind === "code") return <CodeForm {...{ step, submit, isPending, next }} />;
  return (
    <>
      <PasswordForm {...{ step, submit, isPending, next }} />
      <p className="justify-self-start">{instead}</p>
    </>
  );
}
