"use client";

import { useLinkStatus } from "next/link";
import { classNames } from "../class-names";
import { ConsoleLink } from "./console-link";

type TabLink = { id: string; label: string; href: string };

/** Tabs as links: each part of the page has its own address. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly TabLink[];
  current: string;
}) {
  return (
    <nav aria-label={label} className="mb-6 border-b">
      <ul className="flex flex-wrap gap-x-5">
        {tabs.map((tab) => (
          <li key={tab.id}>
            <ConsoleLink
              href={tab.href}
              aria-current={tab.id === current ? "page" : undefined}
              className={classNames(
                "relative -mb-px flex h-9 items-center rounded-t-sm border-b-2 font-medium pointer-coarse:h-11",
                tab.id === current
                  ? "border-accent text-foreground"
                  : "border-transparent text-muted hover:text-foreground",
              )}
            >
              {tab.label}
              <PendingMark />
            </ConsoleLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Marks the tab that was clicked until its part of the page has come. */
function PendingMark() {
  const { pending } = useLinkStatus();
  if (!pending) return null;
  return (
    <span role="status" className="absolute inset-x-0 -bottom-0.5 h-0.5 animate-pulse bg-accent">
      <span className="sr-only">Loading</span>
    </span>
  );
}
