"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { floatBeside } from "./float-beside";
import type { Side } from "./place-beside";

const OPEN_AFTER_MS = 350;
const CLOSE_AFTER_MS = 100;

type TooltipProps = {
  content: ReactNode;
  /** A single element. Plain text doesn't become focusable. */
  children: ReactNode;
  side?: Side;
  /** True if the content repeats the element's accessible name: it is then not announced again. */
  repeatsName?: boolean;
};

/** Opens on hover after a delay and on keyboard focus at once. Stays open while hovered. Escape closes it. */
export function Tooltip({ content, children, side = "top", repeatsName = false }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stopFloating = useRef(() => {});

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      stopFloating.current();
    },
    [],
  );

  function show() {
    const target = anchor.current?.firstElementChild;
    if (!target || !box.current) return;
    if (!repeatsName) target.setAttribute("aria-describedby", id);
    stopFloating.current();
    stopFloating.current = floatBeside(target, box.current, side, "center");
  }
  function hide() {
    clearTimeout(timer.current);
    stopFloating.current();
    if (box.current?.matches(":popover-open")) box.current.hidePopover();
  }
  function later(act: () => void, afterMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, afterMs);
  }
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || !box.current?.matches(":popover-open")) return;
    // A dialog focuses its first control on opening. That control's tooltip must not consume the Escape meant for the dialog.
    if (!anchor.current?.closest("dialog")) event.stopPropagation();
    hide();
  }

  return (
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => event.pointerType === "mouse" && later(show, OPEN_AFTER_MS)}
      onPointerLeave={() => later(hide, CLOSE_AFTER_MS)}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show()}
      onBlur={hide}
      onKeyDown={closeOnEscape}
    >
      {children}
      <span
        ref={box}
        id={id}
        role="tooltip"
        popover="manual"
        className="fixed inset-auto m-0 max-w-72 rounded-md bg-foreground px-2 py-1 text-xs text-background"
      >
        {content}
      </span>
    </span>
  );
}
