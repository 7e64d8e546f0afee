type PressedKey = {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  target: { closest: (selectors: string) => object | null } | EventTarget;
};

const letters: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 };
const arrows: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The step through a list that a key asks for, 0 if none. Letters belong to a field while it has the focus, and arrows
 * to what is scrolled or played, except on the buttons marked with `data-step`.
 */
export function readStep({ key, metaKey, ctrlKey, altKey, target }: PressedKey): 1 | -1 | 0 {
  if (metaKey || ctrlKey || altKey || !("closest" in target)) return 0;
  if (target.closest("[data-step]")) return letters[key] ?? arrows[key] ?? 0;
  if (target.closest("input, textarea, select, [contenteditable]")) return 0;
  return letters[key] ?? 0;
}
