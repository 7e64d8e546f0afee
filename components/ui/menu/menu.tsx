"use client";

import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type ToggleEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { contained } from "@/components/ui/browser/contained";
import { isComposing } from "@/components/ui/browser/is-composing";
import { type Align, floatBeside, type Side } from "@/components/ui/browser/place-beside";
import type { fieldAttributes } from "@/components/ui/fields/field";
import { beginsWords } from "@/components/ui/search/match-words";
import { SearchBox } from "@/components/ui/search-box";
import { formatCount } from "@/components/ui/values/group-digits";
import { type MenuEntry, MenuItem } from "./menu-item";

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

/**
 * Opens a menu beside its button and focuses its search or its selected, first or last entry. Returns the focus on
 * closing. `fieldRef` is told the button, too.
 */
function useMenu(
  side: Side,
  align: Align,
  fieldRef: ((button: HTMLButtonElement | null) => void) | undefined,
) {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const stopFloating = useRef(() => {});
  const [open, setOpen] = useState(false);
  const onMenuKeyDown = useMenuKeys(menu);

  useEffect(() => () => stopFloating.current(), []);

  function show(focus: "first" | "last") {
    if (!button.current || !menu.current) return;
    // The entries are mounted only while the menu is open, and must be mounted to be measured.
    flushSync(() => setOpen(true));
    stopFloating.current();
    stopFloating.current = floatBeside(button.current, menu.current, side, align);
    const search = menu.current.querySelector<HTMLElement>("input[type=search]");
    if (search) return search.focus();
    const items = menuItems(menu.current);
    const checkedItem = items.find((item) => item.ariaChecked === "true");
    (checkedItem ?? items.at(focus === "first" ? 0 : -1))?.focus();
  }
  function close() {
    menu.current?.hidePopover();
    button.current?.focus();
  }
  function onButtonClick(event: MouseEvent) {
    event.preventDefault();
    if (open) close();
    else show("first");
  }
  function onButtonKeyDown(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    show(event.key === "ArrowDown" ? "first" : "last");
  }
  function onToggle(event: ToggleEvent<HTMLDivElement>) {
    setOpen(event.newState === "open");
    if (event.newState === "closed") stopFloating.current();
  }

  const setButton = useCallback(
    (element: HTMLButtonElement | null) => {
      button.current = element;
      fieldRef?.(element);
    },
    [fieldRef],
  );

  return { setButton, menu, open, close, onButtonClick, onButtonKeyDown, onMenuKeyDown, onToggle };
}

const TYPEAHEAD_MS = 600;
const steps: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index <= 0 ? count : index) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function menuItems(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])") ?? [])];
}

/**
 * Moves the focus in an open menu as the ARIA menu pattern requires: arrows, Home, End and the first letters of an
 * item.
 */
function useMenuKeys(menu: RefObject<HTMLElement | null>) {
  const typeahead = useRef({ text: "", at: 0 });

  function focusByName(letter: string, at: number, items: readonly HTMLElement[], current: number) {
    const isContinued = at - typeahead.current.at < TYPEAHEAD_MS;
    typeahead.current = { text: (isContinued ? typeahead.current.text : "") + letter.toLowerCase(), at };
    const afterCurrent = [...items.slice(current + 1), ...items.slice(0, current + 1)];
    const begins = (item: HTMLElement) =>
      item.textContent?.trim().toLowerCase().startsWith(typeahead.current.text);
    (isContinued ? items : afterCurrent).find(begins)?.focus();
  }

  return function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation();
    const items = menuItems(menu.current);
    const current = items.findIndex((item) => item === document.activeElement);
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      items[step(current, items.length)]?.focus();
    } else if (event.key === "Tab") {
      menu.current?.hidePopover();
    } else if (
      event.key.length === 1 &&
      event.key !== " " &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      focusByName(event.key, event.timeStamp, items, current);
    }
  };
}

/** Menus with more entries than this have a search. */
const SEARCHED_FROM = 12;
/** Maximum number of rendered entries. */
const MAX_SHOWN = 100;

export function isSearched(sections: readonly MenuSection[]): boolean {
  return sections.reduce((sum, { entries }) => sum + entries.length, 0) > SEARCHED_FROM;
}

/**
 * Returns the sections with the entries that match every typed word by the start of a word, at most `MAX_SHOWN` of
 * them, and the number of further matches.
 */
export function findEntries(
  sections: readonly MenuSection[],
  search: string,
): { sections: MenuSection[]; hiddenCount: number } {
  let room = MAX_SHOWN;
  let hiddenCount = 0;
  const matchingSections = sections.flatMap((section) => {
    const fitting = section.entries.filter(({ label, note = "" }) => beginsWords(`${label} ${note}`, search));
    // Short sections, such as “Manage projects” at the end, are always shown, even after a long one.
    const entries = section.entries.length > SEARCHED_FROM ? fitting.slice(0, room) : fitting;
    room -= entries.length;
    hiddenCount += fitting.length - entries.length;
    return entries.length > 0 ? [{ ...section, entries }] : [];
  });
  return { sections: matchingSections, hiddenCount };
}

type MenuSection = { heading?: string; entries: readonly MenuEntry[] };

type MenuGroupProps = { section: MenuSection; divided: boolean; close: () => void };

function MenuGroup({ section, divided, close }: MenuGroupProps) {
  const heading = useId();
  return (
    <div
      role="group"
      aria-labelledby={section.heading ? heading : undefined}
      className={divided ? "mt-1 border-t pt-1" : undefined}
    >
      {section.heading && (
        <div id={heading} className="px-2 py-1 text-xs text-muted">
          {section.heading}
        </div>
      )}
      {section.entries.map((entry) => (
        <MenuItem key={entry.id} entry={entry} close={close} />
      ))}
    </div>
  );
}
