"use client";

import { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";
import { memo, type ReactNode, useMemo } from "react";
import { useScreenAddress } from "@/components/shell/project/shell-projects";
import type { ShellData } from "@/components/shell/shell-data";
import { classNames } from "@/components/ui/class-names";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { findScreen } from "./find-screen";
import { usePendingPath, useTellPending } from "./pending-screen";
import type { Entry } from "./screen";
import { shownTo } from "./shown-to";

type ScreenLinksProps = Pick<ShellData, "permissions" | "runningTasks">;

/** The entries of the sidebar, which open their first screen. The settings are at the foot. */
export function ScreenLinks({ permissions, runningTasks }: ScreenLinksProps) {
  const pathname = usePathname();
  const current = findScreen(usePendingPath() ?? pathname)?.entry;
  const groups = useMemo(() => shownTo(permissions), [permissions]);
  const addressOf = useScreenAddress();
  return (
    <nav aria-label="Screens" className="flex flex-1 flex-col gap-3.5 overflow-y-auto px-2 pb-3">
      {groups.map((entries) => (
        <ul
          key={entries[0]?.letter}
          className={classNames("grid gap-px", entries[0]?.letter === "s" && "mt-auto")}
        >
          {entries.map((entry) => (
            <li key={entry.letter}>
              <EntryLink
                entry={entry}
                href={entry.screens[0] ? addressOf(entry.screens[0]) : ""}
                current={entry.letter === current?.letter}
                count={entry.letter === "a" && runningTasks}
              />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

type EntryLinkProps = { entry: Entry; href: string; current: boolean; count: ReactNode };

/** Remembered, since React renders the sidebar again for each part of a screen that arrives. */
const EntryLink = memo(function EntryLink({ entry, href, current, count }: EntryLinkProps) {
  const Icon = entry.icon;
  return (
    <ScreenLink
      href={href}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "flex h-8 items-center gap-[9px] rounded-md px-2 outline-offset-[-2px] pointer-coarse:h-11",
        current
          ? "bg-default font-medium text-foreground forced-colors:outline"
          : "text-muted hover:bg-default/60 hover:text-foreground",
      )}
    >
      <Icon
        aria-hidden
        strokeWidth={1.75}
        className={classNames("size-4 shrink-0", current ? "text-accent-text" : "opacity-85")}
      />
      <span className="truncate">{entry.label}</span>
      {count}
    </ScreenLink>
  );
});

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
