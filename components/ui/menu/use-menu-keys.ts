"use client";

import { type KeyboardEvent, type RefObject, useRef } from "react";

const TYPEAHEAD_MS = 600;
const steps: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index <= 0 ? count : index) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export function menuItems(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])") ?? [])];
}

/**
 * Moves the focus in an open menu as the ARIA menu pattern requires: arrows, Home, End and the first letters of an
 * item.
 */
export function useMenuKeys(menu: RefObject<HTMLElement | null>) {
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
