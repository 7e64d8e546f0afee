"use client";

import { useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { useDialogScope } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { withoutSecrets } from "@/components/ui/fields/secret-fields";
import { useDraftLocation } from "./draft-scope";
import { type Draft, readDraft, saveDraft } from "./drafts";
import { countFieldChanges, discardChanges, findEditBase, rebaseEdit } from "./form-changes";

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

type TypedRecord = Readonly<Record<string, unknown>>;

/**
 * Returns the entries of a draft that its form has a field for. A draft can be older than the console: a field may be
 * gone by then, or hold a list where it held a text, and the form couldn't show that.
 */
export function findKnownValues(
  draftValues: TypedRecord,
  formValues: TypedRecord,
): [name: string, value: unknown][] {
  return Object.entries(draftValues).filter(
    ([name, value]) => Object.hasOwn(formValues, name) && isLike(value, formValues[name]),
  );
}

/** An empty field may hold anything. A number field holds what was typed as a text, until that is a number. */
function isLike(value: unknown, present: unknown): boolean {
  if (present === null || present === undefined) return true;
  if (value === null) return typeof present === "number";
  return findKind(value) === findKind(present);
}

function findKind(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "number" ? "string" : typeof value;
}
