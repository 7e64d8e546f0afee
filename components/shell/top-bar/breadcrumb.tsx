"use client";

import { usePathname } from "next/navigation";
import { useSyncExternalStore } from "react";
import { ScreenLink } from "@/components/shell/navigation/screen-links";
import { findProjectIn } from "@/lib/console/paths";
import { classNames } from "../../ui/class-names";
import { findAddressIn, findScreen, type Place } from "../navigation/find-screen";
import { useGoTo, usePendingPath } from "../navigation/pending-screen";
import type { Screen } from "../navigation/screen";
import { listTabs } from "../navigation/screen-tabs";
import { ProjectMenu } from "../project/project-menu";
import { useScreenAddress } from "../project/shell-projects";
import type { ShellData } from "../shell-data";
import { findCrumbLabel, subscribeToCrumbs } from "./crumb-labels";

type Crumb = { label: string; href?: string };

type BreadcrumbProps = Pick<ShellData, "projects" | "permissions">;

/** The project where it changes what is shown, with its switch; then the entry, the screen, and the object. */
export function Breadcrumb({ projects, permissions }: BreadcrumbProps) {
  const here = usePathname();
  const pathname = usePendingPath() ?? here;
  const place = findScreen(pathname);
  const label = useSyncExternalStore(
    subscribeToCrumbs,
    () => findCrumbLabel(pathname),
    () => findCrumbLabel(pathname),
  );
  const goTo = useGoTo();
  const addressOf = useScreenAddress();
  if (!place) return null;
  const { screen } = place;
  const shown = findProjectIn(pathname);
  const deeper = pathname.slice(place.href.length);
  const hasSwitch = screen.shows !== undefined && (deeper === "" || screen.sameBelow === true);
  const crumbs = listCrumbs(place, pathname, { label, addressOf, tabs: listTabs(place.entry, permissions) });
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-2">
        {hasSwitch && projects && shown !== undefined && (
          <li className="flex min-w-0 items-center gap-2">
            <ProjectMenu
              projects={projects}
              shown={shown}
              offersAll={screen.shows === "any projects"}
              goToProject={(id) => goTo(findAddressIn(place, pathname, id))}
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

type CrumbSources = {
  /** What the page calls its object. */
  label: string | undefined;
  tabs: readonly Screen[];
  addressOf: (screen: Screen) => string;
};

/** The entry, its screen if it has another name, the screen's further page, and the object. */
function listCrumbs({ entry, screen, href }: Place, pathname: string, sources: CrumbSources): Crumb[] {
  const { label, tabs, addressOf } = sources;
  const deeper = pathname.slice(href.length + 1);
  const furtherPage = findCrumbLabel(href);
  return [
    ...(tabs[0] && tabs.length > 1 && screen.label !== entry.label
      ? [{ label: entry.label, href: addressOf(tabs[0]) }]
      : []),
    { label: screen.label, href: addressOf(screen) },
    ...(furtherPage ? [{ label: furtherPage, href }] : []),
    ...listAbove(href, deeper),
    ...(deeper === "" || href === "/" ? [] : [{ label: label ?? formatSegment(deeper) }]),
  ];
}

/** The object whose page the shown one is below: the model of its routes. */
function listAbove(href: string, deeper: string): Crumb[] {
  const above = deeper.lastIndexOf("/");
  if (above < 0) return [];
  const address = `${href}/${deeper.slice(0, above)}`;
  const label = findCrumbLabel(address);
  return label === undefined ? [] : [{ label, href: address }];
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
