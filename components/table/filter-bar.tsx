"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button";
import { changeAddress } from "./change-address";

type FilterBarProps<Name extends string> = {
  /** The parameters of the address that filter. "Clear" removes them all. */
  names: readonly Name[];
  /** Those of them that the address names. */
  asked: readonly Name[];
  /** The filters that are always shown. */
  children: ReactNode;
  /** Filters that are needed less often, and their parameters. */
  further?: { names: readonly Name[]; fields: ReactNode };
};

/** Above a list: its filters, the less used ones behind a button, and a way to clear them. */
export function FilterBar<Name extends string>({ names, asked, children, further }: FilterBarProps<Name>) {
  const ofFurther = asked.filter((name) => further?.names.includes(name)).length;
  const [isOpen, setIsOpen] = useState(ofFurther > 0);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        {further && (
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <SlidersHorizontal aria-hidden />
            {ofFurther > 0 ? `Filters (${ofFurther})` : "Filters"}
          </Button>
        )}
        {asked.length > 0 && (
          <Button
            variant="ghost"
            onClick={() => changeAddress(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            <X aria-hidden />
            Clear
          </Button>
        )}
      </div>
      {isOpen && further?.fields}
    </div>
  );
}
