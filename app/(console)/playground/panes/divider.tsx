"use client";

import { type KeyboardEvent, type PointerEvent, useRef } from "react";

type DividerProps = {
  /** The part that it resizes. */
  label: string;
  /** The share of the available space taken by the part before it, in percent. */
  percent: number;
  /** Moves the divider to the right by the given pixels. */
  moveBy: (pixels: number) => void;
};

const STEP_PX = 32;

/** A divider between two parts. Moved by dragging or with the arrow keys. */
export function Divider({ label, percent, moveBy }: DividerProps) {
  const lastX = useRef<number | null>(null);

  function begin(event: PointerEvent<HTMLElement>) {
    lastX.current = event.clientX;
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  function drag(event: PointerEvent) {
    if (lastX.current === null) return;
    moveBy(event.clientX - lastX.current);
    lastX.current = event.clientX;
  }
  function end() {
    lastX.current = null;
  }
  function moveByKey(event: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    moveBy(direction * STEP_PX);
  }

  return (
    // A movable separator is a widget, which hr is not.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={moveByKey}
      className="relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-border outline-offset-0 before:absolute before:inset-y-0 before:-left-3 before:w-6 hover:bg-accent focus-visible:bg-accent max-lg:hidden"
    />
  );
}
