"use client";

import { Lock } from "lucide-react";
import { usePathname } from "next/navigation";
import { classNames } from "../ui/class-names";
import { ConsoleLink } from "../ui/console-link";
import { findScreen, isLocked, navigation, type Screen } from "./navigation";
import type { ShellData } from "./shell-data";
import { startsInPlayground } from "./starts-in-playground";

type ScreenLinksProps = Pick<ShellData, "permissions">;

/** The sections of the console. What a person may not see keeps its place, with a lock: the screen says what is missing. */
export function ScreenLinks({ permissions }: ScreenLinksProps) {
  const current = findScreen(usePathname())?.screen;
  // The overview has nothing for them and leads on to the playground.
  const isShown = ({ href }: Screen) => href !== "/" || !permissions || !startsInPlayground(permissions);
  return (
    <nav aria-label="Screens" className="flex-1 overflow-y-auto px-2 pb-4">
      {navigation.map((section, index) => (
        <div key={section.label ?? index} className="mb-4">
          {section.label && <h2 className="px-2 pb-1 text-xs font-medium text-muted">{section.label}</h2>}
          <ul className="grid gap-px">
            {section.screens.filter(isShown).map((screen) => (
              <li key={screen.href}>
                <ScreenLink
                  screen={screen}
                  current={screen === current}
                  locked={permissions !== undefined && isLocked(screen, permissions)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function ScreenLink({ screen, current, locked }: { screen: Screen; current: boolean; locked: boolean }) {
  const Icon = screen.icon;
  return (
    <ConsoleLink
      href={screen.href}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "flex h-8 items-center gap-2.5 rounded-md px-2 outline-offset-[-2px] pointer-coarse:h-11",
        current ? "bg-default font-medium" : "text-foreground/85 hover:bg-default/70",
      )}
    >
      <Icon
        aria-hidden
        className={classNames("size-4 shrink-0", current ? "text-accent-text" : "text-muted")}
      />
      <span className="truncate">{screen.label}</span>
      {locked && (
        <>
          <Lock aria-hidden className="ml-auto size-3.5 shrink-0 text-muted" />
          <span className="sr-only">, needs {screen.permissions?.join(" or ")}</span>
        </>
      )}
    </ConsoleLink>
  );
}
