"use client";

import { usePathname } from "next/navigation";
import { memo, type ReactNode, useMemo } from "react";
import { paths } from "@/lib/console/paths";
import { classNames } from "../../ui/class-names";
import { ConsoleLink } from "../../ui/links/console-link";
import type { ShellData } from "../shell-data";
import { findScreen } from "./find-screen";
import type { Screen } from "./screen";
import { shownTo } from "./shown-to";

type ScreenLinksProps = Pick<ShellData, "permissions" | "runningTasks">;

/** Links to the screens that the person can open, by section. */
export function ScreenLinks({ permissions, runningTasks }: ScreenLinksProps) {
  const current = findScreen(usePathname())?.screen;
  const sections = useMemo(() => shownTo(permissions), [permissions]);
  return (
    <nav aria-label="Screens" className="flex-1 overflow-y-auto px-2 pb-4">
      {sections.map((section, index) => (
        <div key={section.label ?? index} className="mb-4">
          {section.label && <h2 className="px-2 pb-1 text-xs font-medium text-muted">{section.label}</h2>}
          <ul className="grid gap-px">
            {section.screens.map((screen) => (
              <li key={screen.href}>
                <ScreenLink
                  screen={screen}
                  current={screen === current}
                  count={screen.href === paths.tasks() && runningTasks}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

type ScreenLinkProps = { screen: Screen; current: boolean; count: ReactNode };

/** Remembered, since React renders the sidebar again for each part of a screen that arrives. */
const ScreenLink = memo(function ScreenLink({ screen, current, count }: ScreenLinkProps) {
  const Icon = screen.icon;
  return (
    <ConsoleLink
      href={screen.href}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "flex h-8 items-center gap-2.5 rounded-md px-2 outline-offset-[-2px] pointer-coarse:h-11",
        current ? "bg-default font-medium forced-colors:outline" : "text-foreground/85 hover:bg-default/70",
      )}
    >
      <Icon
        aria-hidden
        className={classNames("size-4 shrink-0", current ? "text-accent-text" : "text-muted")}
      />
      <span className="truncate">{screen.label}</span>
      {count}
    </ConsoleLink>
  );
});
