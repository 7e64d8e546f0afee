"use client";

import { type ReactNode, useId, useState } from "react";
import { contained } from "./contained";
import { findEntries, isSearched } from "./find-entries";
import type { Align, Side } from "./float-beside";
import { groupDigits } from "./group-digits";
import { MenuGroup, type MenuSection } from "./menu-group";
import { MenuSearch } from "./menu-search";
import { useMenu } from "./use-menu";
import { menuItems } from "./use-menu-keys";

type MenuProps = {
  /** The accessible name of the button, where its content does not say what it opens. */
  label?: string;
  /** What the button shows. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** Shown above the entries: whose menu it is. */
  head?: ReactNode;
  sections: readonly MenuSection[];
  /** What its entries are, for the search of a long one: "projects". */
  noun?: string;
  side?: Side;
  align?: Align;
  disabled?: boolean;
};

/** A button and its menu, after the ARIA menu button pattern; one of many entries is searched. The browser's popover closes it on Escape or a click elsewhere. */
export function Menu({ label, trigger, triggerClassName, head, sections, noun, ...options }: MenuProps) {
  const id = useId();
  const { side = "bottom", align = "start", disabled } = options;
  const { button, menu, open, close, onButtonClick, onButtonKeyDown, onMenuKeyDown, onToggle } = useMenu(
    side,
    align,
  );
  return (
    <>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        // As the menu's invoker, a second press closes it instead of opening it again.
        popoverTarget={id}
        onClick={onButtonClick}
        onKeyDown={onButtonKeyDown}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        {...contained}
        onToggle={onToggle}
        onKeyDown={onMenuKeyDown}
        className="fixed inset-auto m-0 max-h-[min(420px,80vh)] min-w-52 max-w-80 overflow-y-auto rounded-md border bg-overlay p-1 text-base text-overlay-foreground shadow-overlay"
      >
        {head && <div className="border-b px-2 pt-1 pb-2">{head}</div>}
        {open && (
          <MenuContent
            labelledBy={`${id}-button`}
            sections={sections}
            noun={noun ?? "entries"}
            close={close}
            items={() => menuItems(menu.current)}
          />
        )}
      </div>
    </>
  );
}

type MenuContentProps = {
  labelledBy: string;
  sections: readonly MenuSection[];
  noun: string;
  close: () => void;
  items: () => readonly HTMLElement[];
};

/** Lives while the menu is open, so that a search starts empty every time. */
function MenuContent({ labelledBy, sections, noun, close, items }: MenuContentProps) {
  const [search, setSearch] = useState("");
  const { found, left } = findEntries(sections, search);
  return (
    <>
      {isSearched(sections) && (
        <MenuSearch
          label={`Search ${noun}`}
          text={search}
          setText={setSearch}
          chooseFirst={() => items()[0]?.click()}
          goOn={() => items()[0]?.focus()}
        />
      )}
      {found.length > 0 && (
        <div role="menu" aria-labelledby={labelledBy}>
          {found.map((section, index) => (
            <MenuGroup key={section.heading ?? index} section={section} divided={index > 0} close={close} />
          ))}
        </div>
      )}
      {(left > 0 || found.length === 0) && (
        <p role="status" className="px-2 py-1.5 text-sm text-muted">
          {left > 0
            ? `${groupDigits(String(left))} more: type to find them.`
            : `Nothing is named “${search}”.`}
        </p>
      )}
    </>
  );
}
