"use client";

import { useEffect, useState } from "react";

const TICK_MS = 250;

/** Returns the whole seconds left of a wait that starts on mount; 0 once it is over. */
export function useCountdown(waitMs: number): number {
  const [endsAt] = useState(() => performance.now() + waitMs);
  const [leftMs, setLeftMs] = useState(waitMs);
  const isOver = leftMs <= 0;

  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setLeftMs(endsAt - performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [endsAt, isOver]);

  return Math.max(0, Math.ceil(leftMs / 1000));
}
