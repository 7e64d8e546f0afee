/** What was pressed on a cell of a grid before React had taken it over. */
export interface EarlyCell {
  readonly row: number;
  readonly column: number;
  /** As `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
}

const ATTRIBUTE = "data-early-cell";

/** Runs as an inline script, where nothing of this module exists. So it gets what it needs as an argument. */
function holdEarlyCells(attribute: string): void {
  let pressed: { grid: Element; row: number; column: number; keys: string[] } | null = null;
  let shown: Element | null = null;
  const show = (cell: Element | null) => {
    shown?.removeAttribute("data-early-keys");
    shown = cell;
    if (pressed)
      cell?.setAttribute("data-early-keys", pressed.keys.filter((key) => key.length === 1).join(""));
  };
  window.addEventListener(
    "pointerdown",
    ({ target }) => {
      const cell = target instanceof Element ? target.closest("[data-taking-over] [role=gridcell]") : null;
      const [grid, row] = [cell?.closest("[role=grid]"), cell?.closest("[data-row]")];
      // Somebody who goes on elsewhere is left there.
      pressed?.grid.removeAttribute(attribute);
      pressed = null;
      show(null);
      if (!cell || !grid || !row) return;
      const place = {
        row: Number(row.getAttribute("data-row")),
        column: Number(cell.getAttribute("data-column")),
      };
      pressed = { grid, ...place, keys: [] };
      grid.setAttribute(attribute, JSON.stringify({ ...place, keys: [] }));
      show(cell);
    },
    { capture: true },
  );
  window.addEventListener(
    "keydown",
    (event) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      // Once the grid has taken the keys over, it has removed the attribute.
      if (!pressed?.grid.hasAttribute(attribute) || ctrlKey || metaKey || altKey || isComposing) return;
      if (["Shift", "CapsLock"].includes(key)) return;
      event.preventDefault();
      event.stopPropagation();
      pressed.keys.push(key);
      const { grid, row, column, keys } = pressed;
      grid.setAttribute(attribute, JSON.stringify({ row, column, keys }));
      // What goes on in another cell is seen once the grid has moved there.
      show(keys.some((one) => one.length > 1) ? null : shown);
    },
    { capture: true },
  );
}

/** A script that holds a press on a cell of a grid, and the keys that follow, until the grid asks for them. */
export const earlyCellScript = `(${holdEarlyCells})("${ATTRIBUTE}")`;

/** Takes what was held; null for nothing. Keys reach the grid itself from then on. */
export function takeEarlyCell(): EarlyCell | null {
  const grid = document.querySelector(`[${ATTRIBUTE}]`);
  const held = grid?.getAttribute(ATTRIBUTE);
  grid?.removeAttribute(ATTRIBUTE);
  for (const cell of grid?.querySelectorAll("[data-early-keys]") ?? [])
    cell.removeAttribute("data-early-keys");
  return held ? (JSON.parse(held) as EarlyCell) : null;
}
