"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { contained } from "../browser/contained";
import { isComposing } from "../browser/is-composing";
import type { Align, Side } from "../browser/place-beside";
import type { fieldAttributes } from "../fields/field";
import { SearchBox } from "../search-box";
import { formatCount } from "../values/group-digits";
import { findEntries, isSearched } from "./find-entries";
import { MenuGroup, type MenuSection } from "./menu-group";
import { useMenu } from "./use-menu";
import { menuItems } from "./use-menu-keys";

type MenuProps = {
  /** The accessible name of the button, if its content doesn't say what it opens. */
  label?: string;
  /** The content of the button. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** -1 for a button that is reached by other keys than Tab. */
  tabIndex?: number;
  /** Shown above the entries, such as the name of a person. */
  head?: ReactNode;
  sections: readonly MenuSection[];
  /** The plural noun in the search of a long menu: "projects". */
  noun?: string;
  side?: Side;
  align?: Align;
  disabled?: boolean;
  /** Called with what is typed into the search, for entries that are searched elsewhere: `sections` follow it. */
  onSearch?: (text: string) => void;
  /** Connects the button with the label, help and error of a field. */
  field?: ReturnType<typeof fieldAttributes> & { ref: (button: HTMLButtonElement | null) => void };
};

/**
 * A button with a menu, after the ARIA menu button pattern. Long menus have a search. The browser's popover closes on
 * Escape or a click elsewhere.
 */
export function Menu({ label, trigger, triggerClassName, head, sections, noun, ...options }: MenuProps) {
  const id = useId();
  const { side = "bottom", align = "start", disabled, onSearch, field, tabIndex } = options;
  const { setButton, menu, open, close, onButtonClick, onButtonKeyDown, onMenuKeyDown, onToggle } = useMenu(
    side,
    align,
    field?.ref,
  );
  return (
    <>
      <button
        id={`${id}-button`}
        {...field}
        ref={setButton}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        tabIndex={tabIndex}
        // Marks the button as the popover's invoker, so that a second click closes the menu and doesn't reopen it.
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
            labelledBy={field?.id ?? `${id}-button`}
            sections={sections}
            onSearch={onSearch}
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
  onSearch: ((text: string) => void) | undefined;
  noun: string;
  close: () => void;
  items: () => readonly HTMLElement[];
};

/** Mounted only while the menu is open, so that the search starts empty. */
function MenuContent({ labelledBy, sections, onSearch, noun, close, items }: MenuContentProps) {
  const [search, setSearch] = useState("");
  const { sections: matchingSections, hiddenCount } = findEntries(sections, search);
  return (
    <>
      {(onSearch || isSearched(sections)) && (
        <MenuSearch
          label={`Search ${noun}`}
          text={search}
          setText={(text) => {
            setSearch(text);
            onSearch?.(text);
          }}
          chooseFirst={() => items()[0]?.click()}
          goOn={() => items()[0]?.focus()}
        />
      )}
      {matchingSections.length > 0 && (
        <div role="menu" aria-labelledby={labelledBy}>
          {matchingSections.map((section, index) => (
            <MenuGroup key={section.heading ?? index} section={section} divided={index > 0} close={close} />
          ))}
        </div>
      )}
      {(hiddenCount > 0 || matchingSections.length === 0) && (
        <p role="status" className="px-2 py-1.5 text-sm text-muted">
          {hiddenCount > 0
            ? `${formatCount(hiddenCount)} more: type to find them.`
            : `Nothing is named “${search}”.`}
        </p>
      )}
    </>
  );
}

type MenuSearchProps = {
  label: string;
  text: string;
  setText: (text: string) => void;
  /** Selects the first match. Called on Enter. */
  chooseFirst: () => void;
  /** Moves to the entries. Called on arrow down. */
  goOn: () => void;
};

/** The search above a long menu. Shows only entries that match what is typed. */
function MenuSearch({ label, text, setText, chooseFirst, goOn }: MenuSearchProps) {
  function onKeyDown(event: KeyboardEvent) {
    const act = { Enter: chooseFirst, ArrowDown: goOn }[event.key];
    if (act && !isComposing(event)) {
      event.preventDefault();
      act();
    }
    // Keep keys from the menu, which would treat letters as a jump to an entry.
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  }
  return (
    <div className="sticky -top-1 z-1 -mx-1 -mt-1 mb-1 border-b bg-overlay p-2">
      <SearchBox label={label} text={text} setText={setText} onKeyDown={onKeyDown} />
    </div>
  );
}
