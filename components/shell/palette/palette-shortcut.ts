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

export type TypedKeys = { typed: string; isEntered: boolean };

/**
 * Captures keys while the field they are meant for is loading, so that they don't reach the page. `release` stops this
 * and returns the text, which begins with `earlier`, and whether Enter followed. Escape calls `onEscape`.
 */
export function captureTyping(
  onEscape: () => void,
  earlier: TypedKeys = { typed: "", isEntered: false },
): { release: () => TypedKeys } {
  let { typed, isEntered } = earlier;

  function hold(event: KeyboardEvent) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") onEscape();
    else if (event.key === "Enter") isEntered = true;
    else if (event.key === "Backspace") typed = [...typed].slice(0, -1).join("");
    else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (!isEntered) typed += event.key;
    }
  }
  window.addEventListener("keydown", hold, { capture: true });
  return {
    release() {
      window.removeEventListener("keydown", hold, { capture: true });
      return { typed, isEntered };
    },
  };
}
