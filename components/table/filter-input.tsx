"use client";

import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useUrlParameter } from "./use-url-parameter";

const SETTLE_MS = 150;

type FilterInputProps = {
  /** Its accessible name and placeholder: "Filter models". */
  label: string;
  /** The parameter of the address it is bound to. */
  parameter?: string;
};

/** Filters a list by the address, so that a filtered list can be shared, reloaded and gone back to. */
export function FilterInput({ label, parameter = "q" }: FilterInputProps) {
  const [filter, setFilter] = useUrlParameter(parameter);
  const [text, setText] = useState(filter);

  const written = useRef(filter);

  // Follows the address where somebody else changed it; our own change may arrive when more has been typed.
  useEffect(() => {
    if (filter === written.current) return;
    written.current = filter;
    setText(filter);
  }, [filter]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      setFilter(text);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, setFilter]);

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
