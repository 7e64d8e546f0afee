"use client";

import { type FieldPath, type FieldValues, type UseFormReturn, useFormState } from "react-hook-form";
import { Notice } from "../notice";

/** Field labels by name, in the order of the form. */
export type FormLabels<Values extends FieldValues> = Partial<Record<FieldPath<Values>, string>>;

type FormErrorsProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  labels: FormLabels<Values>;
};

/**
 * Shown after a refused save: the error of the whole form (`form.setError("root", …)`), and a button for each invalid
 * field that focuses it. The first invalid field has the focus already.
 */
export function FormErrors<Values extends FieldValues>({ form, labels }: FormErrorsProps<Values>) {
  const { errors, submitCount } = useFormState({ control: form.control });
  const faulty = (Object.keys(labels) as FieldPath<Values>[]).filter(
    (name) => form.getFieldState(name).invalid,
  );
  const refusal = errors.root?.message;
  if (!refusal && (submitCount === 0 || faulty.length === 0)) return null;

  return (
    <Notice tone="bad" role="alert" title={refusal ?? needAttention(faulty.length)}>
      {faulty.length > 0 && (
        <ul className="flex flex-wrap gap-x-3">
          {faulty.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => form.setFocus(name)}
                className="rounded-sm text-foreground underline underline-offset-2"
              >
                {labels[name]}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function needAttention(count: number): string {
  return count === 1
    ? "One field needs attention. Nothing was saved."
    : `${count} fields need attention. Nothing was saved.`;
}
