"use client";

import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

/** A range of bars, by index. Both ends are included. */
export interface Choice {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads bars and selects a range of them by pointer or keyboard. Calls `onChoose` at the end of a drag and on Enter.
 */
export function useBarChoice(count: number, onChoose: (from: number, to: number) => void) {
  const chartRef = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<{ anchor: number; focus: number } | null>(null);
  const [isDragging, setIsDragging] = useState(false);
  const last = count - 1;
  const within = (index: number) => Math.max(0, Math.min(last, index));
  const at = within(selection?.focus ?? last);
  const chosenBars = selection && {
    from: Math.min(within(selection.anchor), at),
    to: Math.max(within(selection.anchor), at),
  };
  const choose = () => {
    setSelection(null);
    if (chosenBars) onChoose(chosenBars.from, chosenBars.to);
  };
  const indexAt = ({ clientX }: PointerEvent) => {
    const box = chartRef.current?.getBoundingClientRect();
    return box ? within(Math.floor(((clientX - box.left) / box.width) * count)) : 0;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const next = steps[event.key];
    if (event.key === "Escape") setSelection(null);
    else if (event.key === "Enter") choose();
    else if (next === undefined) return;
    else
      setSelection({
        anchor: event.shiftKey ? (selection?.anchor ?? at) : within(next),
        focus: within(next),
      });
    event.preventDefault();
  };
  return {
    chartRef,
    /** The index of the bar being read. */
    at,
    chosen: chosenBars,
    onKeyDown,
    onBlur: () => setSelection(null),
    onPointerDown: (event: PointerEvent) => {
      // The context menu. On a Mac, Ctrl and the main button open it.
      if (event.button !== 0 || event.ctrlKey) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setIsDragging(true);
      setSelection({ anchor: indexAt(event), focus: indexAt(event) });
    },
    onPointerMove: (event: PointerEvent) => {
      const focus = indexAt(event);
      setSelection((now) => ({ anchor: isDragging && now ? now.anchor : focus, focus }));
    },
    onPointerLeave: () => {
      if (!isDragging) setSelection(null);
    },
    onPointerUp: () => {
      if (!isDragging) return;
      setIsDragging(false);
      choose();
    },
    onPointerCancel: () => setIsDragging(false),
  };
}
