"use client";

import { type ChangeEvent, useId, useState } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { ApiName } from "@/components/ui/api-name";
import { SearchBox } from "@/components/ui/search-box";
import { Checkbox } from "./checkbox";
import { type CheckboxOptionGroup, chooseValues, removeValues, searchOptions } from "./choose-options";
import { describeError } from "./field";
import { leaveGroup } from "./leave-group";
import type { BoundField } from "./text-field";

type CheckboxGroupProps<Values extends FieldValues> = BoundField<Values> & {
  groups: readonly CheckboxOptionGroup[];
  /** The plural noun in the count: "permissions". */
  noun: string;
};

/**
 * Checkboxes in groups, each with a sentence, a search, a box for each whole group, and counts. The value is a list of
 * strings.
 */
export function CheckboxGroup<Values extends FieldValues>(props: CheckboxGroupProps<Values>) {
  const { control, name, groups, noun, label, apiName, help, disabled } = props;
  const id = useId();
  const [search, setSearch] = useState("");
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, onBlur, ref } = field;
  const chosenValues: readonly string[] = value ?? [];
  const all = groups.flatMap((group) => group.options.map((option) => option.value));
  const matchingGroups = searchOptions(groups, search);
  const error = describeError(label, fieldState.error?.message);
  const change = (values: readonly string[], { target }: ChangeEvent<HTMLInputElement>) =>
    onChange(target.checked ? chooseValues(all, chosenValues, values) : removeValues(chosenValues, values));

  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={`${id}-help`} disabled={disabled}>
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <ApiName name={apiName} />
        <span className="ml-auto text-sm text-muted">
          {chosenValues.length} of {all.length} {noun}
        </span>
      </legend>
      <div
        {...leaveGroup(onBlur)}
        className={`rounded-md border bg-surface outline-none ${error ? "border-danger" : ""}`}
      >
        <div className="border-b">
          <SearchBox
            ref={ref}
            label={`Search ${noun}`}
            text={search}
            setText={setSearch}
            onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            className="h-9 w-full rounded-t-md bg-transparent pr-2.5 pl-8 placeholder:text-muted focus-visible:outline-offset-[-2px] pointer-coarse:h-11"
          />
        </div>
        <div>
          {matchingGroups.map((group) => (
            <OptionGroup key={group.heading} group={group} chosenValues={chosenValues} change={change} />
          ))}
          {matchingGroups.length === 0 && (
            <p className="px-3 py-6 text-center text-muted">Nothing is named “{search}”.</p>
          )}
        </div>
      </div>
      <div id={`${id}-help`} className="text-sm">
        {error ? <span className="text-danger">{error}</span> : <span className="text-muted">{help}</span>}
      </div>
    </fieldset>
  );
}

type OptionGroupProps = {
  group: CheckboxOptionGroup;
  chosenValues: readonly string[];
  change: (values: readonly string[], event: ChangeEvent<HTMLInputElement>) => void;
};

function OptionGroup({ group, chosenValues, change }: OptionGroupProps) {
  const id = useId();
  const values = group.options.map((option) => option.value);
  const count = values.filter((value) => chosenValues.includes(value)).length;
  return (
    <div role="group" aria-label={group.heading} className="border-b last:border-b-0">
      <label
        htmlFor={id}
        className="flex min-h-9 cursor-pointer items-center gap-2.5 bg-default-soft px-3 text-sm font-medium pointer-coarse:min-h-11"
      >
        <Checkbox
          id={id}
          aria-label={`All of ${group.heading}`}
          checked={count === values.length}
          indeterminate={count > 0 && count < values.length}
          onChange={(event) => change(values, event)}
        />
        {group.heading}
        <span className="ml-auto font-normal text-muted">
          {count} of {values.length}
        </span>
      </label>
      {group.options.map(({ value, sentence }) => (
        <label
          key={value}
          htmlFor={`${id}-${value}`}
          className="flex cursor-pointer items-start gap-2.5 px-3 py-2 hover:bg-default-soft pointer-coarse:py-3"
        >
          <span className="flex h-5 items-center">
            <Checkbox
              id={`${id}-${value}`}
              checked={chosenValues.includes(value)}
              onChange={(event) => change([value], event)}
            />
          </span>
          <span className="min-w-0">
            <span className="block">{sentence}</span>
            <code className="block font-mono text-xs break-all text-muted">{value}</code>
          </span>
        </label>
      ))}
    </div>
  );
}
