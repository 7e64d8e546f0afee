import type { FieldValues, UseFormReturn } from "react-hook-form";
import { countChanges } from "./count-changes";
import { rebaseEdit } from "./edit-base";

/** Number of changes per field, against the saved or initial values. Unchanged fields are left out. */
export function changesOf<Values extends FieldValues>(form: UseFormReturn<Values>): Record<string, number> {
  const saved: Record<string, unknown> = form.control._defaultValues;
  const typed: Record<string, unknown> = form.getValues();
  const counted = Object.keys({ ...saved, ...typed }).map((name): [string, number] => [
    name,
    countChanges(saved[name], typed[name]),
  ]);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** Resets the form to the saved values. Overrides `resetOptions`, which are meant only for values saved by others. */
export function discardChanges<Values extends FieldValues>(form: UseFormReturn<Values>): void {
  form.reset(undefined, { keepDirtyValues: false });
  rebaseEdit(form.control, null);
}
