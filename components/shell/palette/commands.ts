import { Folder, LogOut, type LucideIcon, Plus } from "lucide-react";
import { findCrumbLabel } from "@/components/shell/top-bar/crumb-labels";
import { themes } from "@/components/shell/top-bar/person-menu";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { findProjectIn, paths } from "@/lib/console/paths";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { beginsWords } from "../../ui/search/match-words";
import { findAddressIn, findScreen } from "../navigation/find-screen";
import { accountEntry } from "../navigation/navigation";
import type { Entry, Screen } from "../navigation/screen";
import { openTo } from "../navigation/shown-to";
import type { ShellActions, ShellPermissions, ShellProject } from "../shell-data";
import { signOutHere } from "../sign-out-here";

export type Command = {
  id: string;
  label: string;
  kind: string;
  icon: LucideIcon;
  /** Words that it is found by besides its label and kind: those that begin its first ones come first, too. */
  keywords?: string;
  run: () => void;
};

/** Actions available from anywhere. Each opens a dialog of its screen. */
const quickActions = [
  {
    label: "Create key",
    address: (project?: string) => paths.keys(project, { open: "new-key" }),
    permission: "api.project_api_keys.write",
  },
  {
    label: "Invite member",
    address: () => paths.members({ open: "new-invite" }),
    permission: "api.invites.write",
  },
  { label: "Upload members", address: () => paths.membersUpload(), permission: "api.invites.write" },
  {
    label: "Record payment",
    address: () => paths.balance({ open: "new-payment" }),
    permission: "api.payments.write",
  },
  { label: "Import payments", address: () => paths.importPayments(), permission: "api.payments.write" },
  {
    label: "Create project",
    address: () => paths.projects({ open: "new-project" }),
    permission: "api.projects.write",
  },
  {
    label: "Create group",
    address: () => paths.groups({ open: "new-group" }),
    permission: "api.groups.write",
  },
  {
    label: "Create admin key",
    address: () => paths.adminKeys({ open: "new-admin-key" }),
    permission: "api.admin_api_keys.write",
  },
] as const;

type CommandContext = Omit<ShellActions, "findObjects"> & {
  /** The person's permissions; undefined if the gateway doesn't report them. */
  permissions: ShellPermissions | undefined;
  projects: readonly ShellProject[];
  pathname: string;
  /** The one project that links lead to. */
  linkedProject: string;
  addressOf: (screen: Screen) => string;
  goTo: (href: string) => void;
  setTheme: (theme: string) => void;
};

/** Returns all commands of the palette, in the order of the sidebar. */
export function listCommands(context: CommandContext): Command[] {
  const { permissions: heldPermissions } = context;
  const screens = [...openTo(heldPermissions).flat(), accountEntry].flatMap((entry) =>
    entry.screens.flatMap((screen) => listPages(entry, screen, context)),
  );
  const themeCommands = themes.map(({ id, command, icon }) => ({
    id: `theme-${id}`,
    label: command,
    kind: "Theme",
    icon,
    run: () => context.setTheme(id),
  }));
  const signOut = {
    id: "sign-out",
    label: "Sign out",
    kind: "Session",
    icon: LogOut,
    run: () => confirmLeave(() => void signOutHere(context.signOut)),
  };
  const actionCommands = quickActions
    .filter(
      ({ permission }) =>
        !heldPermissions ||
        [...heldPermissions.organization, ...heldPermissions.project].includes(permission),
    )
    .map(({ label, address }) => ({
      id: label,
      label,
      kind: "Action",
      icon: Plus,
      run: () => confirmLeave(() => context.goTo(address(context.linkedProject))),
    }));
  return [...screens, ...actionCommands, ...listSwitches(context), ...themeCommands, signOut];
}

/** The other projects of a screen that shows them. */
function listSwitches({ projects, pathname, goTo }: CommandContext): Command[] {
  const place = findScreen(pathname);
  const shown = findProjectIn(pathname);
  if (!place?.screen.shows || shown === undefined) return [];
  const { shows, sameBelow } = place.screen;
  const at = sameBelow ? pathname : place.href;
  const hasEvery = shows === "any projects" && projects.length > 1;
  return [...(hasEvery ? [{ id: EVERY_PROJECT, name: "all projects" }] : []), ...projects]
    .filter(({ id }) => id !== shown && projects.length > 1)
    .map(({ id, name }) => ({
      id,
      label: `Switch to ${name}`,
      kind: "Project",
      icon: Folder,
      run: () => confirmLeave(() => goTo(findAddressIn(place, at, id))),
    }));
}

/** A screen, as "Keys › Admin keys", and its further pages. */
function listPages(entry: Entry, screen: Screen, { addressOf, goTo }: CommandContext): Command[] {
  const page = (href: string, name: string, keywords = "") => ({
    id: href,
    label: entry.label === name ? name : `${entry.label} › ${name}`,
    kind: "Screen",
    icon: entry.icon,
    keywords: `${name} ${keywords}`,
    run: () => confirmLeave(() => goTo(href)),
  });
  return [
    page(addressOf(screen), screen.label, screen.keywords),
    ...(screen.alsoAt ?? []).flatMap((href) => {
      const name = findCrumbLabel(href);
      return name === undefined ? [] : [page(href, name)];
    }),
  ];
}

/**
 * Returns the commands in which each typed word starts a word. Commands that start with the first typed word, or whose
 * own name does, come first.
 */
export function searchCommands(commands: readonly Command[], search: string): Command[] {
  const matches = commands.filter(({ label, kind, keywords = "" }) =>
    beginsWords(`${label} ${kind} ${keywords}`, search),
  );
  const [first = ""] = search.trim().toLowerCase().split(/\s+/);
  const begins = ({ label, keywords = "" }: Command) =>
    [label, keywords].some((words) => words.toLowerCase().startsWith(first));
  return [...matches.filter(begins), ...matches.filter((command) => !begins(command))];
}
