"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** As near to the end of the page as counts as being there. */
const NEAR_PX = 64;

/**
 * Keeps the end of the page in sight while `content` grows, until the reader scrolls up; `isFollowing` tells.
 * `follow` goes back to the end.
 */
export function useFollow(content: unknown) {
  const [isFollowing, setIsFollowing] = useState(true);
  const following = useRef(true);
  const lastY = useRef(0);

  const decide = useCallback((next: boolean) => {
    following.current = next;
    setIsFollowing(next);
  }, []);

  useEffect(() => {
    const onScroll = () => {
      const { scrollY, innerHeight } = window;
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - NEAR_PX;
      // Growing content moves the end away, never the reader up: only the reader does that.
      if (isAtEnd) decide(true);
      else if (scrollY < lastY.current) decide(false);
      lastY.current = scrollY;
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [decide]);

  useLayoutEffect(() => {
    if (content && following.current) toEnd();
  }, [content]);

  const follow = useCallback(() => {
    decide(true);
    toEnd();
  }, [decide]);

  return { isFollowing, follow };
}

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}
