"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, use, useState } from "react";

/** A screen that opens faster shows no skeleton at all. */
const DELAY_MS = 200;
/** React tries again before this is over. */
const FORGOTTEN_AFTER_MS = 1_000;

/** The ends of the delays, by path: React drops the state of what suspends before it is first shown. */
const delays = new Map<string, Promise<void>>();

/**
 * The contents of a `loading.tsx`. While it suspends, the transition to the screen waits, and the screen before it
 * stays. A skeleton that was shown stays for 300 ms, although the data has come (`FALLBACK_THROTTLE_MS` in React's
 * reconciler).
 */
export function DelayedSkeleton({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [delay] = useState(() => (typeof window === "undefined" ? null : waitForDelay(path)));
  if (delay) use(delay);
  return children;
}

function waitForDelay(path: string): Promise<void> {
  const pendingDelay = delays.get(path);
  if (pendingDelay) return pendingDelay;
  const delay = new Promise<void>((resolve) => setTimeout(resolve, DELAY_MS));
  delays.set(path, delay);
  setTimeout(() => delays.delete(path), FORGOTTEN_AFTER_MS);
  return delay;
}
