import { autoUpdate, computePosition, flip, offset, shift } from "@floating-ui/dom";

export type Side = "top" | "bottom" | "right";
export type Align = "start" | "center" | "end";

const GAP_PX = 6;
const MARGIN_PX = 8;

/**
 * Opens a `popover` beside its anchor, on the opposite side if it doesn't fit, and keeps it inside the window while the page
 * scrolls or changes. Sets positions through the DOM, which even a strict style policy allows. @returns a function that stops it;
 * call it once the popover is hidden.
 */
export function floatBeside(anchor: Element, box: HTMLElement, side: Side, align: Align): () => void {
  if (!box.matches(":popover-open")) box.showPopover();
  const placement = align === "center" ? side : (`${side}-${align}` as const);
  const middleware = [offset(GAP_PX), flip({ padding: MARGIN_PX }), shift({ padding: MARGIN_PX })];
  return autoUpdate(anchor, box, async () => {
    const { x, y } = await computePosition(anchor, box, { strategy: "fixed", placement, middleware });
    box.style.left = `${x}px`;
    box.style.top = `${y}px`;
  });
}
