import { useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { UnsavedWarning } from "@/components/ui/dialog/unsaved";
import { isObject } from "@/lib/contract/json-value";

/** Number of changes per field, against the saved or initial values. Unchanged fields are left out. */
export function countFieldChanges<Values extends FieldValues>(
  form: UseFormReturn<Values>,
): Record<string, number> {
  const savedValues: Record<string, unknown> = form.control._defaultValues;
  const typedValues: Record<string, unknown> = form.getValues();
  const changeCounts = Object.keys({ ...savedValues, ...typedValues }).map((name): [string, number] => [
    name,
    countChanges(savedValues[name], typedValues[name]),
  ]);
  return Object.fromEntries(changeCounts.filter(([, count]) => count > 0));
}

/** Resets the form to the saved values. Overrides `resetOptions`, which are meant only for values saved by others. */
export function discardChanges<Values extends FieldValues>(form: UseFormReturn<Values>): void {
  form.reset(undefined, { keepDirtyValues: false });
  rebaseEdit(form.control, null);
}

/** The form's values as they are now, since fields stay enabled while a save runs. */
export function copyValues<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, "getValues">,
): Values {
  return structuredClone(form.getValues());
}

/**
 * Makes the saved values of an object the form's own once it is saved. What was typed after `sentValues` were sent
 * stays, as an unsaved change.
 */
export function takeSavedValues<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, "getValues" | "reset" | "setValue">,
  savedValues: Values,
  sentValues: Values,
): void {
  const setValue = form.setValue as (name: string, value: unknown, options: object) => void;
  const typedLater = Object.entries(form.getValues()).filter(
    ([name, value]) => countChanges(sentValues[name], value) > 0,
  );
  form.reset(savedValues, { keepDirtyValues: false });
  for (const [name, value] of typedLater) setValue(name, value, { shouldDirty: true });
}

type EditBase = {
  /** The object being edited, with its version. */
  object: object;
  /** Replaces the base. Null means the object read last. */
  rebase: (object: object | null) => void;
};

/** Bases by the form's `control`. A form for a new object has none. */
const bases = new WeakMap<object, EditBase>();

/** Registers the object that the form's draft is based on. `object` must be JSON. */
export function useEditBase(control: object, object: object, rebase: EditBase["rebase"]): void {
  useEffect(() => {
    bases.set(control, { object, rebase });
  });
}

export function findEditBase(control: object): object | null {
  return bases.get(control)?.object ?? null;
}

/** Takes effect before the next render, so that a draft stored at once has the new base. */
export function rebaseEdit(control: object, object: object | null): void {
  const base = bases.get(control);
  if (!base) return;
  if (object) bases.set(control, { ...base, object });
  base.rebase(object);
}

/**
 * Counts the differences between two form values. Each changed field counts once, and so does each entry added to a
 * list or removed from it. Null, undefined and blank text count as equal.
 */
export function countChanges(before: unknown, after: unknown): number {
  if (Array.isArray(before) || Array.isArray(after)) return countEntries(before, after);
  if (isObject(before) || isObject(after)) {
    const [old, now] = [toRecord(before), toRecord(after)];
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...names].reduce((sum, name) => sum + countChanges(old[name], now[name]), 0);
  }
  return Object.is(normalizeBlank(before), normalizeBlank(after)) ? 0 : 1;
}

/** Lists of strings are compared regardless of order, other lists entry by entry. */
function countEntries(before: unknown, after: unknown): number {
  const old: unknown[] = Array.isArray(before) ? before : [];
  const now: unknown[] = Array.isArray(after) ? after : [];
  if ([...old, ...now].some(isObject)) {
    const indices = Array.from({ length: Math.max(old.length, now.length) }, (_, index) => index);
    return indices.filter((index) => countChanges(old[index], now[index]) > 0).length;
  }
  return [...new Set([...old, ...now])].filter((entry) => old.includes(entry) !== now.includes(entry)).length;
}

function normalizeBlank(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? null : (value ?? null);
}

function toRecord(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export type FormWords = {
  /** The object that the form makes or changes: "the new key", "the role “Auditor”". */
  what: string;
  /** True if the form changes an existing object, false if it makes a new one. */
  isEdit: boolean;
  /** Labels by field name. Nested fields have dotted names. */
  labels: Readonly<Record<string, string | undefined>>;
};

/** Describes what leaving the form would lose; null if nothing. `changes` has the number of changes per field. */
export function describeUnsaved(
  { what, isEdit, labels }: FormWords,
  changes: Record<string, number>,
): UnsavedWarning | null {
  const count = Object.values(changes).reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  const noun = count === 1 ? "change" : "changes";
  const fields = joinWords(Object.keys(changes).flatMap((name) => findLabels(labels, name))) || "something";
  return isEdit
    ? { title: `Discard ${count} unsaved ${noun}?`, text: `You changed ${fields} of ${what} without saving.` }
    : { title: `Discard ${what}?`, text: `You entered ${fields} without saving.` };
}

/** Returns the label of the field, or the labels of its nested fields. */
function findLabels(labels: FormWords["labels"], name: string): string[] {
  return Object.entries(labels).flatMap(([path, label]) =>
    label && (path === name || path.startsWith(`${name}.`)) ? [label] : [],
  );
}

function joinWords(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
