import type { ShellPermissions } from "@/components/shell/shell-data";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { inAnotherProject, paths } from "@/lib/console/paths";
import type { Permission } from "@/lib/contract/access/permissions";
import { accountEntry, navigation } from "./navigation";
import type { Entry, Screen } from "./screen";

/** The longest addresses first, since those of a project are below those of the projects. */
const places = [...navigation.flat(), accountEntry]
  .flatMap((entry) =>
    entry.screens.flatMap((screen) =>
      [screen.address(EVERY_PROJECT), ...(screen.alsoAt ?? [])].map((href) => ({ href, entry, screen })),
    ),
  )
  .toSorted((one, other) => other.href.length - one.href.length);

export type Place = {
  entry: Entry;
  screen: Screen;
  /** The address that is meant: the screen's, or one of those that it has besides. */
  href: string;
};

/** Returns the address that shows the same of another project, or of all of them. */
export function findAddressIn({ screen, href }: Place, pathname: string, project: string): string {
  if (project !== EVERY_PROJECT) return inAnotherProject(pathname, project);
  return screen.address(project) + pathname.slice(href.length);
}

/** Returns the screen of an address and its entry. */
export function findScreen(pathname: string): Place | undefined {
  const inEvery = inAnotherProject(pathname, EVERY_PROJECT);
  const found = places.find(
    ({ href }) => inEvery === href || (href !== paths.overview() && inEvery.startsWith(`${href}/`)),
  );
  if (!found || pathname === inEvery) return found;
  return { ...found, href: pathname.slice(0, found.href.length + pathname.length - inEvery.length) };
}

/** Who holds one of these looks after money or keys, which the overview is about. */
const overseeing: readonly Permission[] = [
  "api.balance.read",
  "api.ledger.read",
  "api.spend_alerts.read",
  "api.project_api_keys.read",
];

/** Returns true if the person tries prompts and looks after nothing: the playground is then their first screen. */
export function startsInPlayground(heldPermissions: ShellPermissions): boolean {
  const may = (permission: Permission) =>
    [heldPermissions.organization, heldPermissions.project].some((all) => all.includes(permission));
  return may("api.playground.write") && !overseeing.some(may);
}
