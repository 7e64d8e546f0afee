"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

type ConsoleLinkProps = Omit<
  ComponentProps<typeof Link>,
  "prefetch" | "onFocus" | "onPointerEnter" | "onTouchStart"
>;

/**
 * Next.js' link, which loads the screen it leads to once somebody points at it or moves the focus to it. By default each
 * page would load every screen that it links to: thirty requests to the console for each page view.
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
