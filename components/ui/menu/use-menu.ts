"use client";

import {
  type KeyboardEvent,
  type MouseEvent,
  type ToggleEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { floatBeside } from "../browser/float-beside";
import type { Align, Side } from "../browser/place-beside";
import { menuItems, useMenuKeys } from "./use-menu-keys";

/**
 * Opens a menu beside its button and focuses its search or its selected, first or last entry. Returns the focus on
 * closing. `fieldRef` is told the button, too.
 */
export function useMenu(
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
