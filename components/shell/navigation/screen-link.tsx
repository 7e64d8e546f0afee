"use client";

import { useLinkStatus } from "next/link";
import type { ComponentProps } from "react";
import { ConsoleLink } from "../../ui/links/console-link";
import { useTellPending } from "./pending-screen";

type ScreenLinkProps = Omit<ComponentProps<typeof ConsoleLink>, "href"> & { href: string };

/** A link of the shell, which marks where it leads from the click on, also where the screen takes a second to come. */
export function ScreenLink({ children, ...link }: ScreenLinkProps) {
  return (
    <ConsoleLink {...link}>
      {children}
      <TellPending href={link.href} />
    </ConsoleLink>
  );
}

function TellPending({ href }: { href: string }) {
  const { pending } = useLinkStatus();
  useTellPending(href, pending);
  return null;
}
