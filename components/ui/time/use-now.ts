"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import { nowMs } from "./server-clock";

const TICK_MS = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all: a table has hundreds of times. */
function everyTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const lastTick = (ms: number) => (Math.floor(ms / TICK_MS) * TICK_MS) / 1000;
const now = () => lastTick(nowMs());

/**
 * The present, in Unix seconds, every half minute. While the browser takes over a page, the time at which the server
 * rendered it.
 */
export function useNow(): number {
  const renderedAt = useContext(RenderedAtContext);
  return useSyncExternalStore(everyTick, now, () => (renderedAt === null ? now() : lastTick(renderedAt)));
}

/**
 * When the server rendered the page, in Unix milliseconds: what "now" is until the browser has taken the page over.
 * Both then write the same words, and nothing moves. Null in a page without it, where the clock says what "now" is.
 */
export const RenderedAtContext = createContext<number | null>(null);
