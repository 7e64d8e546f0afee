import { captureTyping } from "./capture-typing";
import { isPaletteShortcut } from "./palette-shortcut";

/** Runs as an inline script, where nothing of this module exists. So it gets what it needs as arguments. */
function awaitEarlyPalette(isShortcut: typeof isPaletteShortcut, capture: typeof captureTyping): void {
  let keyCapture: ReturnType<typeof captureTyping> | null = null;
  function end() {
    const typedKeys = keyCapture?.release() ?? null;
    keyCapture = null;
    return typedKeys;
  }
  function begin() {
    keyCapture ??= capture(end);
  }
  function beginByKey(event: KeyboardEvent) {
    if (!isShortcut(event)) return;
    event.preventDefault();
    begin();
  }
  function beginByClick({ target }: MouseEvent) {
    if (target instanceof Element && target.closest("[data-opens=palette]")) begin();
  }
  document.addEventListener("keydown", beginByKey);
  document.addEventListener("click", beginByClick);
  window.takeEarlyPalette = () => {
    document.removeEventListener("keydown", beginByKey);
    document.removeEventListener("click", beginByClick);
    delete window.takeEarlyPalette;
    return end();
  };
}

/** A script that holds Ctrl/Cmd K, a click on the launcher, and the keys that follow, until the launcher has loaded. */
export const earlyPaletteScript = `(${awaitEarlyPalette})(${isPaletteShortcut}, ${captureTyping})`;
