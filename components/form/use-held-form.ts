"use client";

import { useEffect, useEffectEvent } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useDialogScope } from "../ui/dialog-scope";
import { describeLoss, type FormWords } from "./describe-loss";
import { changesOf, discardChanges } from "./form-changes";
import { registerUnsaved } from "./unsaved";
import { useKeptDraft } from "./use-kept-draft";

type HeldForm<Values extends FieldValues> = FormWords & {
  form: UseFormReturn<Values>;
  name: string;
  guarded: boolean;
};

/** Confirms before a form with changes is left, and stores its input as a draft until it is saved or discarded. */
export function useHeldForm<Values extends FieldValues>({ form, name, guarded, ...words }: HeldForm<Values>) {
  const dialog = useDialogScope()?.id ?? null;
  const describe = useEffectEvent(() => describeLoss(words, changesOf(form)));

  useEffect(() => {
    if (!guarded) return;
    return registerUnsaved({
      dialog,
      describe: () => describe(),
      discard: () => discardChanges(form),
    });
  }, [form, dialog, guarded]);

  useKeptDraft(form, name);
}
