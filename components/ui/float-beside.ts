import { autoUpdate, computePosition, flip, offset, shift } from "@floating-ui/dom";

export type Side = "top" | "bottom" | "right";
export type Align = "start" | "center" | "end";

const GAP_PX = 6;
const MARGIN_PX = 8;

/**
 * Opens a `popover` element in the top layer beside its anchor, on the opposite side where it would not fit and never over
 * the edge of the screen, and keeps it there while the page scrolls or changes. Sets positions through the DOM, which a
 * strict style policy allows. @returns what ends it, once the element is hidden.
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
