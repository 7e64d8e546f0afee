import type { FieldValues, UseFormReturn } from "react-hook-form";
import { countChanges } from "./count-changes";
import { rebaseEdit } from "./edit-base";

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
