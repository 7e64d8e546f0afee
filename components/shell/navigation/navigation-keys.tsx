"use client";

import { usePathname } from "next/navigation";
import { useEffect, useEffectEvent, useRef } from "react";
import { isComposing } from "../../ui/browser/is-composing";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { useScreenAddress } from "../project/shell-projects";
import type { ShellData } from "../shell-data";
import { findScreen } from "./find-screen";
import { useGoTo } from "./pending-screen";
import { findTabAddress, listTabs } from "./screen-tabs";
import { shownTo } from "./shown-to";

/** The letter after G is awaited so long. */
const LETTER_WITHIN_MS = 1_500;

/** `[` and `]` open the tab beside the current one; G and then a letter opens an entry. Renders nothing. */
export function NavigationKeys({ permissions }: Pick<ShellData, "permissions">) {
  const pathname = usePathname();
  const goTo = useGoTo();
  const addressOf = useScreenAddress();
  const pressedG = useRef(-Infinity);

  function findTarget(key: string, at: number): string | undefined {
    const isLetter = at - pressedG.current < LETTER_WITHIN_MS;
    pressedG.current = -Infinity;
    if (isLetter) {
      const screen = shownTo(permissions)
        .flat()
        .find(({ letter }) => letter === key)?.screens[0];
      return screen && addressOf(screen);
    }
    if (key === "g") pressedG.current = at;
    const step = { "[": -1, "]": 1 }[key];
    const place = findScreen(pathname);
    if (step === undefined || !place) return undefined;
    const tabs = listTabs(place.entry, permissions);
    const index = tabs.findIndex(({ label }) => label === place.screen.label);
    const beside = index < 0 ? undefined : tabs[index + step];
    return beside && findTabAddress(addressOf(beside));
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isForAnother(event)) return;
    const target = findTarget(event.key.toLowerCase(), event.timeStamp);
    if (target === undefined) return;
    event.preventDefault();
    confirmLeave(() => goTo(target));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return null;
}

/** Returns true for keys that something on the page takes, and for shortcuts of the browser. */
function isForAnother(event: KeyboardEvent): boolean {
  // Where a bracket needs AltGr, the browser reports Ctrl and Alt as well.
  const hasModifier =
    event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));
  if (hasModifier || event.defaultPrevented || event.repeat || isComposing(event)) return true;
  const taken = "input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=grid]";
  return (
    (event.target instanceof Element && event.target.closest(taken) !== null) ||
    document.querySelector("dialog:modal") !== null
  );
}
