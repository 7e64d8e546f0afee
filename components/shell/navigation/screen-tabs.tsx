"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useMemo } from "react";
import { classNames } from "../../ui/class-names";
import { useScreenAddress } from "../project/shell-projects";
import type { ShellData } from "../shell-data";
import { findScreen } from "./find-screen";
import { usePendingPath } from "./pending-screen";
import type { Entry, Screen } from "./screen";
import { ScreenLink } from "./screen-links";
import { shownTo } from "./shown-to";

/** What each screen last showed, with its filters. */
const lastShown = new Map<string, string>();

/** Returns the screens beside one of an entry, as far as the person is offered them. */
export function listTabs(entry: Entry, permissions: ShellData["permissions"]): readonly Screen[] {
  return (
    shownTo(permissions)
      .flat()
      .find(({ letter }) => letter === entry.letter)?.screens ?? []
  );
}

/** Returns what a tab last showed at this address. */
export function findTabAddress(href: string): string {
  return lastShown.get(href) ?? href;
}

/** The screens of an entry as tabs. Each leads back to what it last showed, with its filters. */
export function ScreenTabs({ permissions }: Pick<ShellData, "permissions">) {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  const place = findScreen(usePendingPath() ?? pathname);
  const tabs = useMemo(() => (place ? listTabs(place.entry, permissions) : []), [place, permissions]);
  const addressOf = useScreenAddress();
  useEffect(() => {
    lastShown.set(pathname, query === "" ? pathname : `${pathname}?${query}`);
  }, [pathname, query]);
  if (!place || tabs.length < 2) return null;
  return (
    <nav
      aria-label={`${place.entry.label} tabs`}
      className="flex h-10 shrink-0 overflow-x-auto border-b bg-background px-4 [scrollbar-width:none] sm:px-6 print:hidden pointer-coarse:h-11"
    >
      <ul className="flex gap-5">
        {tabs.map((screen) => {
          const isCurrent = screen.label === place.screen.label;
          const href = addressOf(screen);
          return (
            <li key={screen.label} className="flex">
              <ScreenLink
                href={isCurrent ? href : findTabAddress(href)}
                aria-current={isCurrent ? "page" : undefined}
                className={classNames(
                  "-mb-px flex items-center border-b-2 whitespace-nowrap outline-offset-[-2px]",
                  isCurrent
                    ? "border-accent font-medium text-foreground"
                    : "border-transparent text-muted hover:text-foreground",
                )}
              >
                {screen.label}
              </ScreenLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
