"use client";

import { useState } from "react";
import { Checkbox } from "@/components/ui/fields/checkbox";

type ChoiceSetProps = {
  legend: string;
  options: readonly { value: string; label: string; isMono?: boolean }[];
  chosen: readonly string[];
  /** Maximum number of selected options. */
  most: number;
  change: (chosen: readonly string[]) => void;
};

/** Checkboxes for selecting a few of some options. */
export function ChoiceSet({ legend, options, chosen, most, change }: ChoiceSetProps) {
  const [chosenFirst] = useState(chosen);
  const isFirst = ({ value }: { value: string }) => chosenFirst.includes(value);
  // The options that are chosen when it opens come first, since a long list would hide them.
  const shown = [...options.filter(isFirst), ...options.filter((option) => !isFirst(option))];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-2 text-sm">
        <span className="font-medium">{legend}</span>
        <span className="text-muted">at most {most}</span>
      </legend>
      <ul className="max-h-48 overflow-y-auto rounded-md border bg-surface py-1">
        {shown.map(({ value, label, isMono = false }) => {
          const isChosen = chosen.includes(value);
          return (
            <li key={value}>
              <label className="flex min-h-8 cursor-pointer items-center gap-2.5 px-3 hover:bg-default-soft has-disabled:cursor-default has-disabled:text-muted pointer-coarse:min-h-11">
                <Checkbox
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= most}
                  onChange={() =>
                    change(isChosen ? chosen.filter((one) => one !== value) : [...chosen, value])
                  }
                />
                <span className={isMono ? "min-w-0 font-mono text-sm wrap-anywhere" : "min-w-0"}>
                  {label}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
