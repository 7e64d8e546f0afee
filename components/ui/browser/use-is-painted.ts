"use client";

import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import { whenIdle } from "./when-idle";

const never = () => () => {};
const no = () => false;
const yes = () => true;

const waiting = new Set<() => void>();

/**
 * False while a screen that a navigation opens is first rendered, true soon after it is painted. Always true on the
 * server and in the page that it sent. For what nobody sees at first, such as the entries of a closed list: it must not
 * delay what they do see.
 */
export function useIsPainted(): boolean {
  const isServersPage = useSyncExternalStore(never, no, yes);
  const [isPainted, setIsPainted] = useState(isServersPage);
  useEffect(() => {
    if (isPainted) return;
    const show = () => startTransition(() => setIsPainted(true));
    waiting.add(show);
    if (waiting.size === 1) whenIdle(showNext);
    return () => {
      waiting.delete(show);
    };
  }, [isPainted]);
  return isPainted;
}

/** One at a time, so that none of them keeps the page from answering a click. */
function showNext(): void {
  const [show] = waiting;
  if (!show) return;
  show();
  waiting.delete(show);
  if (waiting.size > 0) whenIdle(showNext);
}

/**
 * False on the server and while the browser takes over its page, true afterwards. For what the server doesn't know,
 * such as the viewer's zone: rendered at once, it would differ from the server's page, and React would discard that.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(never, yes, no);
}
