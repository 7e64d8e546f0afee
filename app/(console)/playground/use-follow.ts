"use client";

import { useCallback, useEffect, useRef, useState } from "react";

/** As near to the end of the page as counts as being there. */
const NEAR_PX = 64;

/**
 * Keeps the end of the page in sight while the element of `growing` grows, until the reader scrolls up; `isFollowing`
 * tells. `follow` goes back to the end.
 */
export function useFollow() {
  const [isFollowing, setIsFollowing] = useState(true);
  const following = useRef(true);
  const last = useRef({ scrollY: 0, scrollHeight: 0 });

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
      if (scrollY + innerHeight >= scrollHeight - NEAR_PX) decide(true);
      else if (isMovedUp) decide(false);
      last.current = { scrollY, scrollHeight };
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
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

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}
