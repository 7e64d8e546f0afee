"use client";

import type { ReactNode } from "react";
import type { FieldValues, SubmitHandler, UseFormReturn } from "react-hook-form";
import { FormErrors, type FormLabels } from "./form-errors";
import { useHeldForm } from "./use-held-form";

type FormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  /** Names it among the forms of its page: "new-key". */
  name: string;
  /** What is made or changed, after "Discard" and "changes to": "the new key", "the role “Auditor”". */
  what: string;
  /** Changes something that is there already; makes something otherwise. */
  edits?: boolean;
  /** Asked about before it is left with something typed; false where a step around it asks. */
  guarded?: boolean;
  /** The labels of the fields, by name, in the order of the form. */
  labels: FormLabels<Values>;
  onSubmit: SubmitHandler<Values>;
  /** For a submit button outside of it. */
  id?: string;
  className?: string;
  children: ReactNode;
};

/**
 * Every form of the console. Above its fields it says why the last try was refused; what is typed in it is not left without
 * a question, and comes back after the session has ended or the page was loaded anew.
 */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const { form, name, what, edits = false, guarded = true, labels, onSubmit, children, ...rest } = props;
  useHeldForm({ form, name, what, edits, guarded, labels });
  return (
    <form {...rest} noValidate onSubmit={form.handleSubmit(onSubmit)}>
      <FormErrors form={form} labels={labels} />
      {children}
    </form>
  );
}
