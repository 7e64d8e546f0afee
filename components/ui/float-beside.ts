import { type Align, placeBeside, type Side } from "./place-beside";

/** Opens a `popover` element in the top layer beside its anchor. Sets positions through the DOM, which a strict style policy allows. */
export function floatBeside(anchor: Element, box: HTMLElement, side: Side, align: Align): void {
  if (!box.matches(":popover-open")) box.showPopover();
  const { left, top } = placeBeside(
    anchor.getBoundingClientRect(),
    box.getBoundingClientRect(),
    { width: document.documentElement.clientWidth, height: window.innerHeight },
    side,
    align,
  );
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
