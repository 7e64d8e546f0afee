"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

type ConsoleLinkProps = Omit<
  ComponentProps<typeof Link>,
  "prefetch" | "onFocus" | "onPointerEnter" | "onTouchStart"
>;

/**
 * A Next.js link that prefetches its screen on hover or focus. The default would prefetch every link: thirty requests to the
 * console per page view.
 */
export function ConsoleLink(props: ConsoleLinkProps) {
  const [isMeant, setIsMeant] = useState(false);
  const mean = () => setIsMeant(true);
  return (
    <Link
      {...props}
      prefetch={isMeant ? null : false}
      onFocus={mean}
      onPointerEnter={mean}
      onTouchStart={mean}
    />
  );
}
