"use client";

import { SearchBox } from "@/components/ui/search-box";
import { useTypedParameter } from "./use-address-filter";

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
    <div className="w-full sm:w-64">
      <SearchBox label={label} text={text} setText={setText} />
    </div>
  );
}
