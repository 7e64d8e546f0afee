"use client";

import { useEffect } from "react";

/** With Alt, so that nothing one types is taken for one. By the key's place: Alt changes what some keyboards write. */
export type Shortcuts = Readonly<Partial<Record<"KeyN" | "KeyP" | "KeyS" | "Period" | "Comma", () => void>>>;

export function useShortcuts(shortcuts: Shortcuts): void {
  // After every rendering, so that a key acts on what is seen.
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
