import type { ShellPermissions } from "../shell-data";
import { startsInPlayground } from "./find-screen";
import { navigation, overviewScreen as overview } from "./navigation";
import { type Entry, isLocked, isOffered, type Screen } from "./screen";

/**
 * Returns the entries that the person is offered, in their groups: all if the gateway doesn't report permissions. An
 * entry of several screens of which one is left takes its name.
 */
export function shownTo(held: ShellPermissions | undefined): Entry[][] {
  return listEntries(held, (screen) => !held || isOffered(screen, held));
}

/** Returns the entries with every screen that the person may open. */
export function openTo(held: ShellPermissions | undefined): Entry[][] {
  return listEntries(held, (screen) => !held || !isLocked(screen, held));
}

function listEntries(held: ShellPermissions | undefined, isListed: (screen: Screen) => boolean): Entry[][] {
  // Where testers start: the overview only redirects them to the playground.
  const hasOverview = !held || !startsInPlayground(held);
  return navigation
    .map((group) =>
      group.flatMap((entry) => {
        const screens = entry.screens.filter(
          (screen) => isListed(screen) && (hasOverview || screen.address !== overview.address),
        );
        const [first] = screens;
        if (!first) return [];
        return [{ ...entry, screens, label: screens.length === 1 ? first.label : entry.label }];
      }),
    )
    .filter((group) => group.length > 0);
}
