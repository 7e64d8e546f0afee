"use client";

import { classNames } from "../class-names";
import { fieldAttributes } from "./field";
import { needsSearch, SearchedSelect } from "./searched-select";
import { type SelectOption, SelectOptions } from "./select-options";

type ChoiceSelectProps = {
  /** What is chosen: "Permission". */
  label: string;
  /** The id of the control that a label of its own names. Absent where `label` is its name. */
  id?: string;
  value: string;
  options: readonly SelectOption[];
  /** The option of the value "". */
  nothing?: string;
  choose: (value: string) => void;
  className?: string;
};

/** A choice outside of a form: the browser's own select, or a searched one for more options than one reads through. */
export function ChoiceSelect({
  label,
  id,
  value,
  options,
  nothing,
  choose,
  className = "",
}: ChoiceSelectProps) {
  const style = classNames("field max-w-full pointer-coarse:h-11", className || "h-9");
  if (needsSearch(options, undefined)) {
    return (
      <SearchedSelect
        label={label}
        value={value}
        options={options}
        {...(nothing !== undefined && { nothing: { label: nothing, isOption: true } })}
        choose={choose}
        {...(id !== undefined && { field: { ...fieldAttributes(id, undefined), ref: () => {} } })}
        className={classNames(style, !className && "w-full")}
      />
    );
  }
  const isKnown = value === "" || options.some((option) => option.value === value);
  return (
    <select
      {...(id === undefined ? { "aria-label": label } : { id })}
      className={style}
      value={value}
      onChange={({ target }) => choose(target.value)}
    >
      {nothing !== undefined && <option value="">{nothing}</option>}
      {!isKnown && <option value={value}>{value}</option>}
      <SelectOptions options={options} value={value} />
    </select>
  );
}
