"use client";

import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { ApiName } from "@/components/ui/api-name";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { describeError } from "@/components/ui/fields/describe-error";
import { leaveGroup } from "@/components/ui/fields/leave-group";
import type { BoundField } from "@/components/ui/fields/text-field";

type CheckedListProps<Values extends FieldValues, Value extends string> = BoundField<Values> & {
  values: readonly Value[];
  /** What each value is for. */
  sentences: Readonly<Record<Value, string>>;
};

/** A few names of the API to tick, each with a sentence. The value is a list of strings in the order of `values`. */
export function CheckedList<Values extends FieldValues, Value extends string>(
  props: CheckedListProps<Values, Value>,
) {
  const { control, name, label, apiName, help, values, sentences } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const chosen: readonly string[] = field.value ?? [];
  const error = describeError(label, fieldState.error?.message);
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={`${id}-help`}>
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <ApiName name={apiName} />
      </legend>
      <div
        {...leaveGroup(field.onBlur)}
        className={`rounded-md border bg-surface ${error ? "border-danger" : ""}`}
      >
        {values.map((value, index) => (
          <label
            key={value}
            htmlFor={`${id}-${value}`}
            className="flex cursor-pointer items-start gap-2.5 border-b px-3 py-2 last:border-b-0 hover:bg-default-soft pointer-coarse:py-3"
          >
            <span className="flex h-5 items-center">
              <Checkbox
                id={`${id}-${value}`}
                ref={index === 0 ? field.ref : undefined}
                checked={chosen.includes(value)}
                onChange={({ target }) =>
                  field.onChange(
                    values.filter((one) => (one === value ? target.checked : chosen.includes(one))),
                  )
                }
              />
            </span>
            <span className="min-w-0">
              <code className="block font-mono text-sm break-all">{value}</code>
              <span className="block text-sm text-muted">{sentences[value]}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-help`} className={`text-sm ${error ? "text-danger" : "text-muted"}`}>
        {error ?? help}
      </p>
    </fieldset>
  );
}
