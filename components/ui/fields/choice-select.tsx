"use client";

import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { classNames } from "../class-names";
import { Menu } from "../menu/menu";
import { fieldAttributes } from "./field";
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

/** A select with more options than this is searched: nobody reads through them. */
const SEARCHED_FROM = 20;

export function needsSearch(options: readonly SelectOption[], search: OptionSearch | undefined): boolean {
  return options.length > SEARCHED_FROM || search !== undefined;
}

/** Called with what is typed. The options then are those that the gateway found. */
export type OptionSearch = (text: string) => void;

type SearchedSelectProps = {
  /** What is chosen: "Project". */
  label: string;
  value: string;
  options: readonly SelectOption[];
  /** The option of the value "", or what the button reads while nothing is chosen. */
  nothing?: { label: string; isOption: boolean };
  choose: (value: string) => void;
  search?: OptionSearch | undefined;
  field?: ReturnType<typeof fieldAttributes> & { ref: (button: HTMLButtonElement | null) => void };
  disabled?: boolean;
  className: string;
};

/** A select whose options are found by typing, for more of them than one reads through. */
export function SearchedSelect(props: SearchedSelectProps) {
  const { label, value, options, nothing, choose, search, field, disabled = false, className } = props;
  const [picked, setPicked] = useState<SelectOption | null>(null);
  // An option that was found by typing is not among those that are offered next.
  const known = [...options, ...(picked ? [picked] : [])].find((option) => option.value === value);
  const chosen = known?.label ?? (value || nothing?.label || "");
  const toEntry = (option: SelectOption) => ({
    id: option.value || "nothing",
    label: option.label,
    ...(option.note !== undefined && { note: option.note }),
    choice: { kind: "one" as const, isChosen: option.value === value },
    onSelect: () => {
      setPicked(option);
      choose(option.value);
    },
  });
  return (
    <Menu
      // A field has a label of its own, which the chosen option's text would replace.
      {...(field ? { field } : { label: `${label}: ${chosen}` })}
      noun={label.toLowerCase()}
      disabled={disabled}
      {...(search && { onSearch: search })}
      triggerClassName={classNames("inline-flex items-center justify-between gap-2 text-left", className)}
      trigger={
        <>
          <span className={classNames("truncate", value === "" && !nothing?.isOption && "text-muted")}>
            {chosen}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </>
      }
      sections={[
        ...(nothing?.isOption ? [{ entries: [toEntry({ value: "", label: nothing.label })] }] : []),
        { entries: options.map(toEntry) },
      ]}
    />
  );
}
