"use client";

import { useCallback, useEffect, useRef, useState } from "react";

/** As near to the end of the page as counts as being there. */
const NEAR_PX = 64;
/** How long a scroll that was already under way may still arrive after the reader has turned up. */
const SETTLING_MS = 200;
const KEYS_UP = ["ArrowUp", "PageUp", "Home"];

/**
 * Keeps the end of the page in sight while the element of `growing` grows, until the reader scrolls up; `isFollowing`
 * tells. `follow` goes back to the end.
 */
export function useFollow() {
  const [isFollowing, setIsFollowing] = useState(true);
  const following = useRef(true);
  const last = useRef({ scrollY: 0, scrollHeight: 0 });
  const turnedUpAt = useRef(Number.NEGATIVE_INFINITY);

  const decide = useCallback((next: boolean) => {
    following.current = next;
    setIsFollowing(next);
  }, []);

  useEffect(() => {
    const onScroll = () => {
      const { scrollY, innerHeight } = window;
      const { scrollHeight } = document.documentElement;
      // A page that has just changed its height may move by itself; otherwise only the reader moves it up.
      const isMovedUp = scrollY < last.current.scrollY && scrollHeight === last.current.scrollHeight;
      const isSettling = performance.now() - turnedUpAt.current < SETTLING_MS;
      if (isMovedUp) decide(false);
      else if (!isSettling && scrollY + innerHeight >= scrollHeight - NEAR_PX) decide(true);
      last.current = { scrollY, scrollHeight };
    };
    // While an answer grows with every frame, only what the reader does tells that it is the reader who scrolls.
    const turnUp = () => {
      turnedUpAt.current = performance.now();
      if (document.documentElement.scrollHeight > window.innerHeight) decide(false);
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && turnUp();
    const onKey = (event: KeyboardEvent) =>
      KEYS_UP.includes(event.key) && !isTyping(event.target) && turnUp();
    const watching = new AbortController();
    const options = { passive: true, signal: watching.signal };
    window.addEventListener("scroll", onScroll, options);
    window.addEventListener("wheel", onWheel, options);
    window.addEventListener("keydown", onKey, options);
    return () => watching.abort();
  }, [decide]);

  const growing = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(() => following.current && toEnd());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const follow = useCallback(() => {
    decide(true);
    toEnd();
  }, [decide]);

  return { isFollowing, follow, growing };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}
