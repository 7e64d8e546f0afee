"use client";

import { memo } from "react";
import { useIsPainted } from "../browser/use-is-painted";

export type SelectOption = {
  readonly value: string;
  readonly label: string;
  /** More words to find it by, such as an address: shown where options are searched. */
  readonly note?: string;
};

type SelectOptionsProps = { options: readonly SelectOption[]; value: string };

/** With more options than this, a select gets most of them only after the screen is painted. */
const LONG_FROM = 20;
/** The number of longest options that are rendered at once, since a select is as wide as its widest option. */
const WIDEST = 5;

/** The options of a select: a thousand take longer to render than the screen around them. */
export const SelectOptions = memo(({ options, value }: SelectOptionsProps) => {
  const isPainted = useIsPainted();
  const shownOptions = isPainted || options.length <= LONG_FROM ? options : findFirst(options, value);
  return shownOptions.map((option) => (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  ));
});

/** The chosen option and the longest ones, in their order. */
function findFirst(options: readonly SelectOption[], value: string): readonly SelectOption[] {
  const lengths = options.map(({ label }) => label.length).toSorted((one, other) => other - one);
  const long = lengths[WIDEST - 1] ?? 0;
  let left = WIDEST;
  return options.filter((option) => {
    if (option.value === value) return true;
    if (option.label.length < long || left === 0) return false;
    left -= 1;
    return true;
  });
}
