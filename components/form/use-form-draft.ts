"use client";

import { useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useDialogScope } from "../ui/dialog-scope";
import { toast } from "../ui/toast";
import { useDraftLocation } from "./draft-scope";
import { type Draft, readDraft, saveDraft } from "./drafts";
import { editBaseOf, rebaseEdit } from "./edit-base";
import { changesOf, discardChanges } from "./form-changes";
import { withoutSecrets } from "./secret-fields";

const nothing: readonly string[] = [];

/**
 * Stores a form's input as a draft until it is saved or discarded, and restores it after the page was lost. Skips the fields in
 * `elsewhere`, which the address stores.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string,
  elsewhere: readonly string[] = nothing,
): void {
  const place = useDraftLocation(name);
  const isInDialog = useDialogScope() !== null;

  useEffect(() => {
    if (!place) return;
    let isGone = false;
    let leave = () => {};
    // Wait until the parent component's effect has loaded the saved values into the form.
    queueMicrotask(() => {
      if (isGone) return;
      const draft = readDraft(place);
      if (draft) restore(form, draft);
      const keep = () => saveDraft(place, draftOf(form, elsewhere));
      leave = form.subscribe({ formState: { values: true }, callback: keep });
      // Store what was typed before the subscription.
      keep();
    });
    return () => {
      isGone = true;
      leave();
      // If the page stays, the dialog was saved or its loss confirmed: remove the draft. If the page goes, keep it.
      if (isInDialog && window.location.pathname === place.path) saveDraft(place, null);
    };
  }, [form, place, isInDialog, elsewhere]);
}

function draftOf<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  elsewhere: readonly string[],
): Draft | null {
  const typed: Record<string, unknown> = form.getValues();
  const names = Object.keys(changesOf(form)).filter((name) => !elsewhere.includes(name));
  const changed = names.map((name) => [name, typed[name] ?? null]);
  const values = withoutSecrets(form.control, Object.fromEntries(changed));
  return Object.keys(values).length > 0 ? { values, base: editBaseOf(form.control) } : null;
}

function restore<Values extends FieldValues>(form: UseFormReturn<Values>, { values, base }: Draft) {
  const set = form.setValue as (name: string, value: unknown, options: object) => void;
  for (const [name, value] of Object.entries(values)) set(name, value, { shouldDirty: true });
  if (base) rebaseEdit(form.control, base);
  toast({
    message: "Your unsaved input was restored.",
    tone: "neutral",
    action: { label: "Discard", onAct: () => discardChanges(form) },
  });
}
