import { isLocked, type NavigationSection, navigation } from "./navigation";
import type { HeldPermissions } from "./shell-data";
import { startsInPlayground } from "./starts-in-playground";

/** The sections with the screens that somebody may open; all of them where the gateway doesn't say what they hold. */
export function shownTo(held: HeldPermissions | undefined): NavigationSection[] {
  if (!held) return [...navigation];
  // The overview has nothing for a tester and leads on to the playground.
  const hasOverview = !startsInPlayground(held);
  return navigation
    .map((section) => ({
      ...section,
      screens: section.screens.filter(
        (screen) => !isLocked(screen, held) && (screen.href !== "/" || hasOverview),
      ),
    }))
    .filter(({ screens }) => screens.length > 0);
}
