"use client";

import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { useSyncExternalStore } from "react";
import { classNames } from "../../ui/class-names";
import { ConsoleLink } from "../../ui/links/console-link";
import { findScreen } from "../navigation/find-screen";
import { findCrumbLabel, subscribeToCrumbs } from "./crumb-labels";

/** The section, the screen, and the object named by `PageCrumb`. */
export function Breadcrumb() {
  const pathname = usePathname();
  const label = useSyncExternalStore(
    subscribeToCrumbs,
    () => findCrumbLabel(pathname),
    () => findCrumbLabel(pathname),
  );
  const currentScreen = findScreen(pathname);
  if (!currentScreen) return null;
  const { section, screen } = currentScreen;
  const deeper = pathname.slice(screen.href.length + 1);
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1">
        {section.label && (
          <li className="flex shrink-0 items-center gap-1 text-muted max-sm:hidden">
            {section.label}
            <Divider />
          </li>
        )}
        <li className={classNames("truncate", deeper ? "max-w-[60%] shrink-0" : "min-w-0")}>
          {deeper ? (
            <ConsoleLink href={screen.href} className="rounded-sm text-muted hover:text-foreground">
              {screen.label}
            </ConsoleLink>
          ) : (
            <span aria-current="page" className="font-medium">
              {screen.label}
            </span>
          )}
        </li>
        {deeper && (
          <li className="flex min-w-0 items-center gap-1">
            <Divider />
            <span aria-current="page" className="truncate font-medium">
              {label ?? formatSegment(deeper)}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}

function Divider() {
  return <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted" />;
}

function formatSegment(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
