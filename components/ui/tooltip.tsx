"use client";

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { floatBeside, type Side } from "./browser/place-beside";

const OPEN_AFTER_MS = 350;
const CLOSE_AFTER_MS = 100;

type TooltipProps = {
  /** Rendered only while the tooltip is open: a table has hundreds of them. */
  content: ReactNode;
  /** A single element. Plain text doesn't become focusable. */
  children: ReactNode;
  side?: Side;
  /** True if the content repeats the element's accessible name: it is then not announced again. */
  repeatsName?: boolean;
};

/** Opens on hover after a delay and on keyboard focus at once. Stays open while hovered. Escape closes it. */
export function Tooltip({ content, children, side = "top", repeatsName = false }: TooltipProps) {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);

  function setNow(opens: boolean) {
    clearTimeout(timer.current);
    setIsOpen(opens);
  }
  function openLater() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsOpen(true), OPEN_AFTER_MS);
  }
  function closeLater() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsOpen(false), CLOSE_AFTER_MS);
  }
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || !isOpen) return;
    // A dialog focuses its first control on opening. That control's tooltip must not consume the Escape meant for the
    // dialog.
    if (!anchor.current?.closest("dialog")) event.stopPropagation();
    setNow(false);
  }

  return (
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => event.pointerType === "mouse" && openLater()}
      onPointerLeave={closeLater}
      onPointerDown={() => setNow(false)}
      onFocus={(event) => event.target.matches(":focus-visible") && setNow(true)}
      onBlur={() => setNow(false)}
      onKeyDown={closeOnEscape}
    >
      {children}
      {isOpen && (
        <Bubble anchor={anchor} side={side} repeatsName={repeatsName}>
          {content}
        </Bubble>
      )}
    </span>
  );
}

type BubbleProps = {
  anchor: RefObject<HTMLSpanElement | null>;
  side: Side;
  repeatsName: boolean;
  children: ReactNode;
};

/** Is open while it is mounted, and describes the anchor's first element meanwhile. */
function Bubble({ anchor, side, repeatsName, children }: BubbleProps) {
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const target = anchor.current?.firstElementChild;
    if (!target || !box.current) return;
    if (!repeatsName) target.setAttribute("aria-describedby", id);
    const stopFloating = floatBeside(target, box.current, side, "center");
    return () => {
      stopFloating();
      if (!repeatsName) target.removeAttribute("aria-describedby");
    };
  }, [anchor, id, repeatsName, side]);

  return (
    <span
      ref={box}
      id={id}
      role="tooltip"
      popover="manual"
      className="fixed inset-auto m-0 max-w-72 rounded-md bg-foreground px-2 py-1 text-xs text-background"
    >
      {children}
    </span>
  );
}
