"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { changeAddress } from "./change-address";

type FilterBarProps<Name extends string> = {
  /** The parameters of the address that filter. "Clear" removes them all. */
  names: readonly Name[];
  /** Those of them that the address names. */
  asked: readonly Name[];
  /** The filters that are always shown. */
  children: ReactNode;
  /** Filters that are needed less often, and their parameters; wide ones hold long texts such as ids. */
  further?: { names: readonly Name[]; fields: ReactNode; isWide?: boolean };
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
      {isOpen && further && (
        <div
          className={classNames(
            "grid gap-x-3 gap-y-2 rounded-md border bg-surface p-3",
            further.isWide
              ? "grid-cols-[repeat(auto-fill,minmax(16rem,1fr))]"
              : "grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]",
          )}
        >
          {further.fields}
        </div>
      )}
    </div>
  );
}
