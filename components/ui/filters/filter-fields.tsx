"use client";

import { type ReactNode, useCallback, useDeferredValue, useId, useState } from "react";
import { needsSearch, type OptionSearch, SearchedSelect } from "@/components/ui/fields/choice-select";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { type SelectOption, SelectOptions } from "@/components/ui/fields/select-options";
import type { ParsedText } from "@/components/ui/number-fields/parse-number";
import { parseDecimal } from "@/components/ui/number-fields/parse-number";
import { formatDecimal } from "@/components/ui/values/group-digits";
import { changeAddress, useTypedParameter, useUrlParameter } from "./use-address-filter";

type SelectFilterProps = {
  label: string;
  parameter: string;
  options: readonly SelectOption[];
  /** The option without a filter: "All models". */
  all: string;
  /** Set if there may be more options than these: called with what is typed to find them. */
  search?: OptionSearch | undefined;
  /** Parameters that belong to the chosen value, and are removed when another one is chosen. */
  clears?: readonly string[];
};

/** A select bound to a parameter of the address. Keeps a value from the address even if it isn't among the options. */
export function SelectFilter({ label, parameter, options, all, search, clears = [] }: SelectFilterProps) {
  const [value] = useUrlParameter(parameter);
  // Deferred: rendering a thousand members must not delay the choice itself.
  const shownOptions = useDeferredValue(options);
  function choose(next: string) {
    const outdated = value !== "" && next !== "" ? clears : [];
    changeAddress({ ...Object.fromEntries(outdated.map((name) => [name, undefined])), [parameter]: next });
  }
  if (needsSearch(options, search)) {
    return (
      <SearchedSelect
        label={label}
        value={value}
        options={options}
        nothing={{ label: all, isOption: true }}
        choose={choose}
        search={search}
        className="field h-8 w-auto max-w-56 pointer-coarse:h-11 max-sm:max-w-none max-sm:min-w-[calc(50%-4px)] max-sm:flex-1"
      />
    );
  }
  const isKnown = value === "" || shownOptions.some((option) => option.value === value);
  return (
    <select
      aria-label={label}
      className="field h-8 w-auto max-w-56 field-sizing-content pointer-coarse:h-11 max-sm:max-w-none max-sm:min-w-[calc(50%-4px)] max-sm:flex-1"
      value={value}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">{all}</option>
      {!isKnown && <option value={value}>{value}</option>}
      <SelectOptions options={shownOptions} value={value} />
    </select>
  );
}

type LabeledProps = { label: string; children: (id: string) => ReactNode };

export function Labeled({ label, children }: LabeledProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

/** A title above a choice. */
export function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 [&_select]:w-full">
      <span aria-hidden className="text-sm font-medium">
        {title}
      </span>
      {children}
    </div>
  );
}

type TextFilterProps = {
  label: string;
  parameter: string;
  placeholder: string;
};

const trim = (text: string) => text.trim();

/**
 * A text field bound to a parameter of the address. Any text filters: what only some text can say is a
 * `CheckedTextFilter`.
 */
export function TextFilter({ label, parameter, placeholder }: TextFilterProps) {
  const [text, setText] = useTypedParameter(parameter, trim);
  return (
    <Labeled label={label}>
      {(id) => (
        <input
          id={id}
          className="field h-8 pointer-coarse:h-11"
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Labeled>
  );
}

type AmountFilterProps = {
  label: string;
  parameter: string;
  placeholder: string;
  /** The currency of the filtered amounts. Decides which texts are ambiguous, as in the payment form. */
  currency?: string | undefined;
};

/** An amount field bound to the address. Parses amounts as all forms do: `1,00` is 1.00. */
export function AmountFilter({ currency, ...field }: AmountFilterProps) {
  const parse = useCallback((text: string) => parseDecimal(text, { currency }), [currency]);
  return <CheckedTextFilter {...field} inputMode="decimal" parse={parse} tidy={formatDecimal} />;
}

type CheckedTextFilterProps = {
  label: string;
  parameter: string;
  placeholder: string;
  inputMode: "numeric" | "decimal";
  /** Parses a text that isn't blank. Must be stable. */
  parse: (text: string) => ParsedText<string>;
  /** How a value that was typed differently is shown as understood. */
  tidy?: (value: string) => string;
};

/** A text field bound to a parameter of the address. Invalid text doesn't filter and shows an error. */
export function CheckedTextFilter({
  label,
  parameter,
  placeholder,
  inputMode,
  parse,
  tidy,
}: CheckedTextFilterProps) {
  const id = useId();
  const clean = useCallback(
    (text: string) => {
      const result = parse(text);
      return result.ok ? result.value : "";
    },
    [parse],
  );
  const [text, setText] = useTypedParameter(parameter, clean);
  const [isLeft, setIsLeft] = useState(true);
  const result = text.trim() === "" ? null : parse(text);
  const error = isLeft && result && !result.ok ? result.message : undefined;
  const understood = result?.ok && tidy ? tidy(result.value) : null;
  return (
    <Field
      id={id}
      label={label}
      error={error}
      understood={understood !== null && understood !== text.trim() ? `= ${understood}` : undefined}
    >
      <input
        {...fieldAttributes(id, error)}
        className="field h-8 pointer-coarse:h-11"
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setIsLeft(false);
          setText(event.target.value);
        }}
        onBlur={() => setIsLeft(true)}
      />
    </Field>
  );
}
