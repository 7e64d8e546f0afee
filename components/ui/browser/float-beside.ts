import { type Align, placeBeside, type Side } from "./place-beside";

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
