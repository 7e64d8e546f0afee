"use client";

import { useEffect, useEffectEvent } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useDialogScope } from "../dialog/dialog-scope";
import { registerUnsaved } from "../dialog/unsaved";
import { describeUnsaved, type FormWords } from "../drafts/describe-unsaved";
import { countFieldChanges, discardChanges } from "../drafts/form-changes";
import { useFormDraft } from "../drafts/use-form-draft";

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
      isDrafted: true,
    });
  }, [form, dialog, isGuarded]);

  useFormDraft(form, name);
}
