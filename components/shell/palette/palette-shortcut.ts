import type { TypedKeys } from "./capture-typing";

declare global {
  interface Window {
    /** Returns what was typed after the palette was asked for, or null if it wasn't, and stops listening. */
    takeEarlyPalette?: () => TypedKeys | null;
  }
}

/** Ctrl/Cmd K and nothing else. */
export function isPaletteShortcut({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && (ctrlKey || metaKey) && !shiftKey && !altKey;
}
