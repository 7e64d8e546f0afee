import type { FieldValues, UseFormReturn } from "react-hook-form";
import { countChanges } from "./count-changes";
import { rebaseEdit } from "./edit-base";

/** By field: how much of it differs from what is saved, or from what the form began with. Unchanged ones are left out. */
export function changesOf<Values extends FieldValues>(form: UseFormReturn<Values>): Record<string, number> {
  const saved: Record<string, unknown> = form.control._defaultValues;
  const typed: Record<string, unknown> = form.getValues();
  const counted = Object.keys({ ...saved, ...typed }).map((name): [string, number] => [
    name,
    countChanges(saved[name], typed[name]),
  ]);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** Back to what is saved. What a form's `resetOptions` keep is right for values that come from elsewhere alone. */
export function discardChanges<Values extends FieldValues>(form: UseFormReturn<Values>): void {
  form.reset(undefined, { keepDirtyValues: false });
  rebaseEdit(form.control, null);
}
