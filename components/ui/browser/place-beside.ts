export type Side = "top" | "bottom" | "right";
export type Align = "start" | "center" | "end";
type Size = Readonly<Record<"width" | "height", number>>;
type Rect = Readonly<Record<"left" | "top" | "right" | "bottom", number>>;

const GAP_PX = 6;
const MARGIN_PX = 8;

interface Alignment {
  readonly side: Side;
  readonly align: Align;
}

/**
 * Returns the upper left corner of a box beside its anchor: on the opposite side if only that has room for it, and
 * inside the window. All in pixels of the window.
 */
export function placeBeside(
  anchor: Rect,
  box: Size,
  screen: Size,
  { side, align }: Alignment,
): { left: number; top: number } {
  const isBeside = side === "right";
  const before = (isBeside ? anchor.left - box.width : anchor.top - box.height) - GAP_PX;
  const after = (isBeside ? anchor.right : anchor.bottom) + GAP_PX;
  const end = isBeside ? screen.width - box.width : screen.height - box.height;
  const fitsBefore = before >= MARGIN_PX;
  const fitsAfter = after <= end - MARGIN_PX;
  const main =
    side === "top" ? (fitsBefore || !fitsAfter ? before : after) : fitsAfter || !fitsBefore ? after : before;
  const along = isBeside
    ? alignTo(anchor.top, anchor.bottom, box.height, align)
    : alignTo(anchor.left, anchor.right, box.width, align);
  const across = isBeside ? screen.height - box.height : screen.width - box.width;
  const shifted = Math.max(MARGIN_PX, Math.min(along, across - MARGIN_PX));
  return isBeside ? { left: main, top: shifted } : { left: shifted, top: main };
}

function alignTo(start: number, end: number, length: number, align: Align): number {
  if (align === "start") return start;
  return align === "end" ? end - length : (start + end - length) / 2;
}

/**
 * Opens a `popover` beside its anchor and keeps it there while the page scrolls or changes. Sets positions through the
 * DOM, which even a strict style policy allows.
 * @returns a function that stops it; call it once the popover is hidden.
 */
export function floatBeside(anchor: Element, box: HTMLElement, side: Side, align: Align): () => void {
  if (!box.matches(":popover-open")) box.showPopover();
  let frame = 0;
  let last = "";
  function follow() {
    const size = { width: box.offsetWidth, height: box.offsetHeight };
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const { left, top } = placeBeside(
      anchor.getBoundingClientRect(),
      size,
      { width, height },
      { side, align },
    );
    const position = `${left} ${top}`;
    if (position !== last) {
      box.style.left = `${left}px`;
      box.style.top = `${top}px`;
      last = position;
    }
    frame = requestAnimationFrame(follow);
  }
  follow();
  return () => cancelAnimationFrame(frame);
}
