import { navigation } from "@/components/shell/navigation/navigation";
import { shownTo } from "@/components/shell/navigation/shown-to";
import type { ShellPermissions } from "@/components/shell/shell-data";

/** An entry of the sidebar of which somebody is offered nothing or, with `screens`, not these tabs. */
interface HiddenScreens {
  readonly entry: string;
  readonly screens: readonly string[];
}

/** The entries and tabs that somebody with these permissions is not offered. */
export function listHiddenScreens(permissions: ShellPermissions | undefined): HiddenScreens[] {
  const shown = shownTo(permissions).flat();
  return navigation.flat().flatMap(({ label: entry, letter, screens }) => {
    const offered = shown.find((one) => one.letter === letter)?.screens ?? [];
    const missing = screens.filter(({ label }) => !offered.some((screen) => screen.label === label));
    if (missing.length === 0) return [];
    return [{ entry, screens: offered.length === 0 ? [] : missing.map(({ label }) => label) }];
  });
}
