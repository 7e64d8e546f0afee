import { paths } from "@/lib/console/paths";
import { accountEntry, navigation } from "./navigation";
import type { Entry, Screen } from "./screen";

const places = [...navigation.flat(), accountEntry].flatMap((entry) =>
  entry.screens.flatMap((screen) =>
    [screen.href, ...(screen.alsoAt ?? [])].map((href) => ({ href, entry, screen })),
  ),
);

export type Place = {
  entry: Entry;
  screen: Screen;
  /** The address that is meant: the screen's, or one of those that it has besides. */
  href: string;
};

/** Returns the screen of an address and its entry. */
export function findScreen(pathname: string): Place | undefined {
  return places.find(
    ({ href }) => pathname === href || (href !== paths.overview() && pathname.startsWith(`${href}/`)),
  );
}
