"use client";

import { type ReactNode, useCallback, useDeferredValue, useId } from "react";
import { needsSearch, type OptionSearch, SearchedSelect } from "../fields/choice-select";
import { type SelectOption, SelectOptions } from "../fields/select-options";
import { parseDecimal } from "../number-fields/parse-decimal";
import { groupDigits, trimDecimal } from "../values/group-digits";
import { changeAddress } from "./change-address";
import { CheckedTextFilter } from "./checked-text-filter";
import { useTypedParameter } from "./use-typed-parameter";
import { useUrlParameter } from "./use-url-parameter";

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

const tidy = (value: string) => groupDigits(trimDecimal(value));

/** An amount field bound to the address. Parses amounts as all forms do: `1,00` is 1.00. */
export function AmountFilter({ currency, ...field }: AmountFilterProps) {
  const parse = useCallback((text: string) => parseDecimal(text, { currency }), [currency]);
  return <CheckedTextFilter {...field} inputMode="decimal" parse={parse} tidy={tidy} />;
}
