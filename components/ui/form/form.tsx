"use client";

import type { ReactNode } from "react";
import type { FieldValues, SubmitHandler, UseFormReturn } from "react-hook-form";
import { type CreateForm, GoneNotice, useIsGone } from "../drafts/gone-notice";
import { ScriptForm } from "../script-form";
import { FormErrors, type FormLabels } from "./form-errors";
import { useFrozen } from "./use-frozen";
import { useGuardedForm } from "./use-guarded-form";

type FormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  /** The form's name, unique on its page: "new-key". */
  name: string;
  /**
   * The object being made or changed: "the new key", "the role “Auditor”". Completes "Discard …" and "changes to …".
   */
  what: string;
  /** True if the form changes an existing object, false if it makes a new one. */
  isEdit?: boolean;
  /** Whether to confirm before unsaved input is left. False if a surrounding wizard confirms. */
  isGuarded?: boolean;
  /** Field labels by name, in the order of the form. */
  labels: FormLabels<Values>;
  onSubmit: SubmitHandler<Values>;
  /** True while the form is saved, if it closes then: nothing in it can be changed. */
  isFrozen?: boolean;
  /** Lets a submit button outside the form refer to it. */
  id?: string;
  className?: string;
  /** Where a new object is created from what was typed, if somebody deletes the one that the form edits. */
  createForm?: CreateForm;
  children: ReactNode;
};

/**
 * The base of every form in the console. Shows why the last save was refused, confirms before unsaved input is left,
 * and restores it after a reload or a new sign-in.
 */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const {
    form,
    name,
    what,
    isEdit = false,
    isGuarded = true,
    labels,
    onSubmit,
    isFrozen = false,
    createForm,
    children,
    ...rest
  } = props;
  const isGone = useIsGone(form, isEdit);
  useGuardedForm({ form, name, what, isEdit, isGuarded, labels });
  const frozen = useFrozen(isFrozen);
  return (
    <ScriptForm
      {...rest}
      ref={frozen}
      aria-busy={isFrozen || undefined}
      onSubmit={isGone ? (event) => event.preventDefault() : form.handleSubmit(onSubmit)}
    >
      {isGone ? (
        <GoneNotice form={form} labels={labels} create={createForm} />
      ) : (
        <FormErrors form={form} labels={labels} />
      )}
      {children}
    </ScriptForm>
  );
}
