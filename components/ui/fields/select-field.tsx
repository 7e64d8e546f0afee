"use client";

import { ChevronsUpDown } from "lucide-react";
import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { needsSearch, type OptionSearch, SearchedSelect } from "./choice-select";
import { Field, fieldAttributes } from "./field";
import type { SelectOption } from "./select-options";
import type { BoundField } from "./text-field";
import { useEarlyEntry } from "./use-early-entry";

type SelectFieldProps<Values extends FieldValues> = BoundField<Values> & {
  options: readonly SelectOption[];
  /** The first option, selected while the value is empty. */
  placeholder?: string;
  /** Set if there may be more options than these: called with what is typed to find them. */
  search?: OptionSearch | undefined;
};

/** A native select, which works well on phones, with keyboards and with screen readers. A long one is searched. */
export function SelectField<Values extends FieldValues>(props: SelectFieldProps<Values>) {
  const { control, name, disabled, options, placeholder, search, ...texts } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  useEarlyEntry(id, field.onChange);
  const error = fieldState.error?.message;
  if (needsSearch(options, search)) {
    return (
      <Field id={id} error={error} {...texts}>
        <SearchedSelect
          label={texts.label}
          value={field.value ?? ""}
          options={options}
          {...(placeholder !== undefined && { nothing: { label: placeholder, isOption: false } })}
          choose={field.onChange}
          search={search}
          field={{ ...fieldAttributes(id, error), ref: field.ref }}
          disabled={disabled ?? false}
          className="field h-9 w-full pointer-coarse:h-11"
        />
      </Field>
    );
  }
  return (
    <Field id={id} error={error} {...texts}>
      <div className="relative">
        <select
          {...fieldAttributes(id, error)}
          {...field}
          value={field.value ?? ""}
          disabled={disabled}
          className="field h-9 appearance-none has-[option[value='']:checked]:text-muted pr-8 pointer-coarse:h-11"
        >
          {placeholder && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  );
}
