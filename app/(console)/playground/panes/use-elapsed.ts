"use client";

import { useEffect, useState } from "react";

const TICK_MS = 250;

/** Milliseconds since `isRunning` became true; null while it is not. */
export function useElapsed(isRunning: boolean): number | null {
  const [elapsedMs, setElapsedMs] = useState<number | null>(null);
  useEffect(() => {
    if (!isRunning) return;
    const startedAt = performance.now();
    const timer = setInterval(() => setElapsedMs(performance.now() - startedAt), TICK_MS);
    return () => {
      clearInterval(timer);
      setElapsedMs(null);
    };
  }, [isRunning]);
  return elapsedMs;
}
