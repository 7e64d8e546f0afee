"use client";

import { Search } from "lucide-react";
import { useTypedParameter } from "./use-typed-parameter";

type FilterInputProps = {
  /** The accessible name and placeholder: "Search models". */
  label: string;
  /** The parameter of the address. */
  parameter?: string;
};

/** A list filter bound to the address, so that a filtered list can be shared, reloaded and returned to. */
export function FilterInput({ label, parameter = "q" }: FilterInputProps) {
  const [text, setText] = useTypedParameter(parameter);
  return (
    <div className="relative w-full sm:w-64">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="field h-8 pl-8 pointer-coarse:h-11"
      />
    </div>
  );
}
