import { paths } from "@/lib/console/paths";
import { accountScreen, type NavigationSection, navigation } from "./navigation";
import type { Screen } from "./screen";

/** Returns the screen of an address and its section. */
export function findScreen(pathname: string): { section: NavigationSection; screen: Screen } | undefined {
  for (const section of [...navigation, { screens: [accountScreen] }]) {
    const screen = section.screens.find(
      ({ href }) => pathname === href || (href !== paths.overview() && pathname.startsWith(`${href}/`)),
    );
    if (screen) return { section, screen };
  }
  return undefined;
}
