"use client";

import { usePathname } from "next/navigation";
import { useSyncExternalStore } from "react";
import { classNames } from "../../ui/class-names";
import { findScreen, type Place } from "../navigation/find-screen";
import { usePendingPath } from "../navigation/pending-screen";
import { ScreenLink } from "../navigation/screen-link";
import { listTabs } from "../navigation/screen-tabs";
import { ProjectMenu } from "../project/project-menu";
import type { ShellActions, ShellData } from "../shell-data";
import { findCrumbLabel, subscribeToCrumbs } from "./crumb-labels";

type Crumb = { label: string; href?: string };

type BreadcrumbProps = Pick<ShellData, "projects" | "currentProjectId" | "isEveryProject" | "permissions"> &
  Pick<ShellActions, "selectProject">;

/** The project where it changes what is shown, with its switch; then the entry, the screen, and the object. */
export function Breadcrumb({ projects, permissions, selectProject, ...selection }: BreadcrumbProps) {
  const here = usePathname();
  const pathname = usePendingPath() ?? here;
  const place = findScreen(pathname);
  const label = useSyncExternalStore(
    subscribeToCrumbs,
    () => findCrumbLabel(pathname),
    () => findCrumbLabel(pathname),
  );
  if (!place) return null;
  const hasSwitch = place.screen.shows !== undefined && pathname === place.href;
  const crumbs = listCrumbs(place, pathname, label, permissions);
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-2">
        {hasSwitch && projects && (
          <li className="flex min-w-0 items-center gap-2">
            <ProjectMenu
              {...selection}
              projects={projects}
              offersAll={place.screen.shows === "any projects"}
              onSelect={selectProject}
            />
            <Divider />
          </li>
        )}
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <li
              key={`${index} ${crumb.label}`}
              className={classNames(
                "flex items-center gap-2",
                isLast ? "min-w-16" : "shrink-0",
                !isLast && (index > 0 ? "max-md:hidden" : "max-sm:hidden"),
              )}
            >
              {crumb.href && !isLast ? (
                <ScreenLink
                  href={crumb.href}
                  className="rounded-sm whitespace-nowrap text-muted hover:text-foreground"
                >
                  {crumb.label}
                </ScreenLink>
              ) : (
                <span
                  aria-current={isLast ? "page" : undefined}
                  className={classNames("truncate", isLast ? "font-medium" : "text-muted")}
                >
                  {crumb.label}
                </span>
              )}
              {!isLast && <Divider />}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The entry, its screen if it is one of several, the screen's further page, and the object. */
function listCrumbs(
  { entry, screen, href }: Place,
  pathname: string,
  label: string | undefined,
  permissions: ShellData["permissions"],
): Crumb[] {
  const tabs = listTabs(entry, permissions);
  const deeper = pathname.slice(href.length + 1);
  return [
    ...(tabs.length > 1 ? [{ label: entry.label, href: tabs[0]?.href ?? screen.href }] : []),
    { label: screen.label, href: screen.href },
    ...(href === screen.href ? [] : [{ label: findCrumbLabel(href) ?? href, href }]),
    ...(deeper === "" || href === "/" ? [] : [{ label: label ?? formatSegment(deeper) }]),
  ];
}

function Divider() {
  return (
    <span aria-hidden className="shrink-0 text-muted/70">
      /
    </span>
  );
}

function formatSegment(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
