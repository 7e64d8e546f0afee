"use client";

import { useCallback, useRef, useState } from "react";

/** As near to the end as counts as being there. */
const NEAR_PX = 48;
const KEYS_UP = ["ArrowUp", "PageUp", "Home"];

/**
 * Keeps the end of the box of `scroller` in sight while what is in `growing` grows, until the reader scrolls up;
 * `isFollowing` tells. `follow` goes back to the end.
 */
export function useFollow() {
  const [isFollowing, setIsFollowing] = useState(true);
  const following = useRef(true);
  const box = useRef<HTMLElement | null>(null);
  const last = useRef({ scrollTop: 0, scrollHeight: 0 });

  const decide = useCallback((next: boolean) => {
    following.current = next;
    setIsFollowing(next);
  }, []);
  const toEnd = useCallback(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  const scroller = useCallback(
    (element: HTMLElement | null) => {
      box.current = element;
      if (!element) return;
      const onScroll = () => {
        const { scrollTop, scrollHeight, clientHeight } = element;
        // A box that has just changed its height may move by itself; otherwise only the reader moves it up.
        const isMovedUp = scrollTop < last.current.scrollTop && scrollHeight === last.current.scrollHeight;
        if (isMovedUp) decide(false);
        else if (scrollTop + clientHeight >= scrollHeight - NEAR_PX) decide(true);
        last.current = { scrollTop, scrollHeight };
      };
      // While an answer grows with every frame, only what the reader does tells that it is the reader who scrolls.
      const turnUp = () => element.scrollHeight > element.clientHeight && decide(false);
      const watching = new AbortController();
      const options = { passive: true, signal: watching.signal };
      element.addEventListener("scroll", onScroll, options);
      element.addEventListener("wheel", (event) => event.deltaY < 0 && turnUp(), options);
      element.addEventListener("keydown", (event) => KEYS_UP.includes(event.key) && turnUp(), options);
      return () => watching.abort();
    },
    [decide],
  );

  const growing = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const observer = new ResizeObserver(() => following.current && toEnd());
      observer.observe(element);
      return () => observer.disconnect();
    },
    [toEnd],
  );

  const follow = useCallback(() => {
    decide(true);
    toEnd();
  }, [decide, toEnd]);

  return { isFollowing, follow, scroller, growing };
}
