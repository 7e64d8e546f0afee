import { paths } from "@/lib/console/paths";
import type { ShellPermissions } from "../shell-data";
import { type NavigationSection, navigation } from "./navigation";
import { isLocked } from "./screen";
import { startsInPlayground } from "./starts-in-playground";

/** Returns the screens the person can open, by section; all screens if the gateway doesn't report permissions. */
export function shownTo(heldPermissions: ShellPermissions | undefined): NavigationSection[] {
  if (!heldPermissions) return [...navigation];
  // Where testers start: the overview only redirects them to the playground.
  const hasOverview = !startsInPlayground(heldPermissions);
  return navigation
    .map((section) => ({
      ...section,
      screens: section.screens.filter(
        (screen) => !isLocked(screen, heldPermissions) && (screen.href !== paths.overview() || hasOverview),
      ),
    }))
    .filter(({ screens }) => screens.length > 0);
}
