"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../button";
import { classNames } from "../class-names";
import { ClearedContext, changeAddress } from "./use-address-filter";

type FilterBarProps<Name extends string> = {
  /** The filter parameters of the address. "Clear" removes them all. */
  names: readonly Name[];
  /** The filter parameters that are set. */
  active: readonly Name[];
  /** The filters that are always shown. */
  children: ReactNode;
  /** Less common filters and their parameters. Use `isWide` for long texts such as ids. */
  further?: { names: readonly Name[]; fields: ReactNode; isWide?: boolean };
};

/** The filters of a list. Less common ones are behind a button. Also has a button that clears all. */
export function FilterBar<Name extends string>({ names, active, children, further }: FilterBarProps<Name>) {
  const furtherCount = active.filter((name) => further?.names.includes(name)).length;
  const [isOpen, setIsOpen] = useState(furtherCount > 0);
  const [clearedCount, setClearedCount] = useState(0);
  function clear() {
    setClearedCount(clearedCount + 1);
    changeAddress(Object.fromEntries(names.map((name) => [name, undefined])));
  }
  return (
    <ClearedContext value={clearedCount}>
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center gap-2">
          {children}
          {further && (
            <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              <SlidersHorizontal aria-hidden />
              {furtherCount > 0 ? `Filters (${furtherCount})` : "Filters"}
            </Button>
          )}
          {active.length > 0 && (
            <Button variant="ghost" onClick={clear}>
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
    </ClearedContext>
  );
}
