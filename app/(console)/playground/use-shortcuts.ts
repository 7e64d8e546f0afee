"use client";

import { useEffect } from "react";

/**
 * With Alt, so that typing doesn't trigger them. By physical key, because Alt changes the character on some keyboards.
 */
type Shortcuts = Readonly<Partial<Record<"KeyN" | "KeyP" | "KeyS" | "Period" | "Comma", () => void>>>;

export function useShortcuts(shortcuts: Shortcuts): void {
  // This runs after every render, so that keys act on the current state.
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog:modal")) return;
      const shortcut = shortcuts[event.code as keyof Shortcuts];
      if (!shortcut) return;
      event.preventDefault();
      shortcut();
    };
    window.addEventListener("keydown", act);
    return () => window.removeEventListener("keydown", act);
  });
}
