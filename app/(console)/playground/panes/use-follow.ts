"use client";

import { useCallback, useRef, useState } from "react";

/** Within this distance of the end counts as at the end. */
const NEAR_PX = 48;
const KEYS_UP = ["ArrowUp", "PageUp", "Home"];

/**
 * Keeps `scroller` at its end while the content of `growing` in it grows, until the reader scrolls up. `isFollowing` is
 * false after that. `follow` returns to the end.
 */
export function useFollow() {
  const [isFollowing, setIsFollowing] = useState(true);
  const following = useRef(true);
  const box = useRef<HTMLElement | null>(null);
  const last = useRef({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });

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
        // A change of either height can scroll the box by itself. Otherwise only the reader scrolls up.
        const isSameSize =
          scrollHeight === last.current.scrollHeight && clientHeight === last.current.clientHeight;
        const isMovedUp = scrollTop < last.current.scrollTop && isSameSize;
        if (isMovedUp) decide(false);
        else if (scrollTop + clientHeight >= scrollHeight - NEAR_PX) decide(true);
        last.current = { scrollTop, scrollHeight, clientHeight };
      };
      // While an answer grows in every frame, only wheel and key events show reliably that the reader scrolls.
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
      const observer = new ResizeObserver(() => {
        // An empty conversation begins at its top.
        if (following.current && element.childElementCount > 0) toEnd();
      });
      observer.observe(element);
      // What is below the conversation takes room from it.
      if (element.parentElement) observer.observe(element.parentElement);
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
