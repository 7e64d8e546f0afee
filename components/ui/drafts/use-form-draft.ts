"use client";

import { useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useDialogScope } from "../dialog/dialog-scope";
import { toast } from "../dialog/toast";
import { withoutSecrets } from "../fields/secret-fields";
import { useDraftLocation } from "./draft-scope";
import { type Draft, readDraft, saveDraft } from "./drafts";
import { findEditBase, rebaseEdit } from "./edit-base";
import { findKnownValues } from "./find-known-values";
import { countFieldChanges, discardChanges } from "./form-changes";

const nothing: readonly string[] = [];

/**
 * Stores a form's input as a draft until it is saved or discarded, and restores it after the page was lost. Skips the
 * fields in `elsewhere`, which the address stores.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  elsewhere: readonly string[] = nothing,
): void {
  const location = useDraftLocation(name);
  const isInDialog = useDialogScope() !== null;

  useEffect(() => {
    if (!location) return;
    let isGone = false;
    let leave = () => {};
    // Wait until the parent component's effect has loaded the saved values into the form.
    queueMicrotask(() => {
      if (isGone) return;
      const draft = readDraft(location);
      if (draft) restore(form, draft);
      const keep = () => saveDraft(location, buildDraft(form, elsewhere));
      leave = form.subscribe({ formState: { values: true }, callback: keep });
      // Store what was typed before the subscription.
      keep();
    });
    return () => {
      isGone = true;
      leave();
      // If the page stays, the dialog was saved or its loss confirmed: remove the draft. If the page goes, keep it.
      if (isInDialog && window.location.pathname === location.path) saveDraft(location, null);
    };
  }, [form, location, isInDialog, elsewhere]);
}

function buildDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  elsewhere: readonly string[],
): Draft | null {
  const typedValues: Record<string, unknown> = form.getValues();
  const names = Object.keys(countFieldChanges(form)).filter((name) => !elsewhere.includes(name));
  const changedValues = names.map((name) => [name, typedValues[name] ?? null]);
  const values = withoutSecrets(form.control, Object.fromEntries(changedValues));
  return Object.keys(values).length > 0 ? { values, base: findEditBase(form.control) } : null;
}

function restore<Values extends FieldValues>(form: UseFormReturn<Values>, { values, base }: Draft) {
  const setValue = form.setValue as (name: string, value: unknown, options: object) => void;
  const knownValues = findKnownValues(values, { ...form.control._defaultValues, ...form.getValues() });
  for (const [name, value] of knownValues) setValue(name, value, { shouldDirty: true });
  // The page was left before it heard that the draft was saved.
  if (Object.keys(countFieldChanges(form)).length === 0) return;
  if (base) rebaseEdit(form.control, base);
  toast({
    message: "Your unsaved input was restored.",
    tone: "neutral",
    action: { label: "Discard", onAct: () => discardChanges(form) },
  });
}
