"use client";

import { useEffect, useEffectEvent } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useDialogScope } from "../ui/dialog-scope";
import { describeUnsaved, type FormWords } from "./describe-unsaved";
import { countFieldChanges, discardChanges } from "./form-changes";
import { registerUnsaved } from "./unsaved";
import { useFormDraft } from "./use-form-draft";

type GuardedForm<Values extends FieldValues> = FormWords & {
  form: UseFormReturn<Values>;
  name: string;
  isGuarded: boolean;
};

/** Confirms before a form with changes is left, and stores its input as a draft until it is saved or discarded. */
export function useGuardedForm<Values extends FieldValues>({
  form,
  name,
  isGuarded,
  ...words
}: GuardedForm<Values>) {
  const dialog = useDialogScope()?.id ?? null;
  const describe = useEffectEvent(() => describeUnsaved(words, countFieldChanges(form)));

  useEffect(() => {
    if (!isGuarded) return;
    return registerUnsaved({
      dialog,
      describe: () => describe(),
      discard: () => discardChanges(form),
    });
  }, [form, dialog, isGuarded]);

  useFormDraft(form, name);
}
