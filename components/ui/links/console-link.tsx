"use client";

import Link from "next/link";
import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from "react";

type ConsoleLinkProps = Omit<
  ComponentProps<typeof Link>,
  "prefetch" | "onFocus" | "onBlur" | "onPointerEnter" | "onPointerLeave" | "onTouchStart"
>;

/**
 * A pointer that only passes, or clicks at once, leaves earlier: its screen would be loaded in vain, or twice at a
 * time.
 */
const INTENT_MS = 60;

/**
 * A Next.js link that prefetches its screen when the pointer or the focus rests on it. The default would prefetch every
 * link: thirty requests to the console per page view.
 */
export function ConsoleLink({ onClick, ...props }: ConsoleLinkProps) {
  const [isMeant, setIsMeant] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = () => clearTimeout(timer.current);
  const rest = () => {
    leave();
    timer.current = setTimeout(() => setIsMeant(true), INTENT_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Link
      {...props}
      prefetch={isMeant ? null : false}
      onFocus={rest}
      onBlur={leave}
      onPointerEnter={rest}
      onPointerLeave={leave}
      onTouchStart={rest}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        leave();
        onClick?.(event);
      }}
    />
  );
}
