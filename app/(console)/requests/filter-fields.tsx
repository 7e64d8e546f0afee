"use client";

import { type ReactNode, useId } from "react";
import { useUrlParameter } from "@/components/table/use-url-parameter";

type ChoiceProps = {
  label: string;
  parameter: string;
  options: readonly { value: string; label: string }[];
  /** What stands there while nothing is chosen. */
  all: string;
};

/** One parameter of the address, out of a list. What the address names stays in it, whether or not it is known. */
export function Choice({ label, parameter, options, all }: ChoiceProps) {
  const [value, setValue] = useUrlParameter(parameter);
  const isKnown = value === "" || options.some((option) => option.value === value);
  return (
    <select
      aria-label={label}
      className="field h-8 w-auto max-w-56 pointer-coarse:h-11"
      value={value}
      onChange={(event) => setValue(event.target.value)}
    >
      <option value="">{all}</option>
      {(isKnown ? options : [{ value, label: value }, ...options]).map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

type LabelledProps = { label: string; children: (id: string) => ReactNode };

export function Labelled({ label, children }: LabelledProps) {
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
