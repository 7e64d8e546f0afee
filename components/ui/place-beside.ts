export type Side = "top" | "bottom" | "right";
export type Align = "start" | "center" | "end";
type Box = { left: number; top: number; width: number; height: number };
type Size = { width: number; height: number };

const GAP_PX = 6;
const MARGIN_PX = 8;

/**
 * Where the top left corner of a floating box goes, in pixels of the viewport: on the wanted side of its anchor,
 * on the opposite side where it would not fit, and never over the edge of the screen.
 */
export function placeBeside(anchor: Box, box: Size, viewport: Size, side: Side, align: Align) {
  const alignedLeft =
    anchor.left + { start: 0, center: (anchor.width - box.width) / 2, end: anchor.width - box.width }[align];
  const wanted = {
    top: { left: alignedLeft, top: anchor.top - box.height - GAP_PX },
    bottom: { left: alignedLeft, top: anchor.top + anchor.height + GAP_PX },
    right: { left: anchor.left + anchor.width + GAP_PX, top: anchor.top + (anchor.height - box.height) / 2 },
  };
  const fitsBelow = wanted.bottom.top + box.height + MARGIN_PX <= viewport.height;
  const fitsAbove = wanted.top.top >= MARGIN_PX;
  const flipped =
    side === "bottom" && !fitsBelow && fitsAbove ? "top" : side === "top" && !fitsAbove ? "bottom" : side;
  const { left, top } = wanted[flipped];
  return {
    left: keepWithin(left, viewport.width - box.width - MARGIN_PX),
    top: keepWithin(top, viewport.height - box.height - MARGIN_PX),
  };
}

function keepWithin(position: number, furthest: number): number {
  return Math.max(MARGIN_PX, Math.min(position, furthest));
}
