import { Folder, LogOut, type LucideIcon, Plus } from "lucide-react";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { paths } from "@/lib/console/paths";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { beginsWords } from "../../ui/search/match-words";
import { accountScreen } from "../navigation/navigation";
import { shownTo } from "../navigation/shown-to";
import type { ShellActions, ShellPermissions, ShellProject } from "../shell-data";
import { signOutHere } from "../sign-out-here";
import { tellIfRefused } from "../tell-if-refused";
import { themes } from "../top-bar/themes";

export type Command = { id: string; label: string; kind: string; icon: LucideIcon; run: () => void };

/** Actions available from anywhere. Each opens a dialog of its screen. */
const quickActions = [
  { label: "Create key", href: paths.keys({ open: "new-key" }), permission: "api.project_api_keys.write" },
  { label: "Invite member", href: paths.members({ open: "new-invite" }), permission: "api.invites.write" },
  { label: "Record payment", href: paths.balance({ open: "new-payment" }), permission: "api.payments.write" },
  { label: "Import payments", href: paths.importPayments(), permission: "api.payments.write" },
  {
    label: "Create project",
    href: paths.projects({ open: "new-project" }),
    permission: "api.projects.write",
  },
  { label: "Create group", href: paths.groups({ open: "new-group" }), permission: "api.groups.write" },
  {
    label: "Create admin key",
    href: paths.adminKeys({ open: "new-admin-key" }),
    permission: "api.admin_api_keys.write",
  },
] as const;

type CommandContext = Omit<ShellActions, "findObjects"> & {
  /** The person's permissions; undefined if the gateway doesn't report them. */
  permissions: ShellPermissions | undefined;
  projects: readonly ShellProject[];
  currentProjectId: string | undefined;
  isEveryProject: boolean;
  goTo: (href: string) => void;
  setTheme: (theme: string) => void;
};

/** Returns all commands of the palette, in the order of the sidebar. */
export function listCommands(context: CommandContext): Command[] {
  const { permissions: heldPermissions } = context;
  const screens = [...shownTo(heldPermissions), { label: "Person", screens: [accountScreen] }].flatMap(
    ({ label, screens: sectionScreens }) =>
      sectionScreens.map(({ href, label: screen, icon }) => ({
        id: href,
        label: screen,
        kind: label ?? "Screen",
        icon,
        run: () => confirmLeave(() => context.goTo(href)),
      })),
  );
  const every = { id: EVERY_PROJECT, name: "all projects" };
  const hasEvery = context.projects.length > 1 && !context.isEveryProject;
  const projects = [...(hasEvery ? [every] : []), ...context.projects]
    .filter((project) => project.id !== context.currentProjectId)
    .map(({ id, name }) => ({
      id,
      label: `Switch to ${name}`,
      kind: "Project",
      icon: Folder,
      run: () => confirmLeave(() => void tellIfRefused(() => context.selectProject(id), "project switch")),
    }));
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
    .map(({ label, href }) => ({
      id: href,
      label,
      kind: "Action",
      icon: Plus,
      run: () => confirmLeave(() => context.goTo(href)),
    }));
  return [...screens, ...actionCommands, ...projects, ...themeCommands, signOut];
}

/**
 * Returns the commands in which each typed word starts a word. Commands that start with the first typed word come
 * first.
 */
export function searchCommands(commands: readonly Command[], search: string): Command[] {
  const matches = commands.filter(({ label, kind }) => beginsWords(`${label} ${kind}`, search));
  const [first = ""] = search.trim().toLowerCase().split(/\s+/);
  const begins = (command: Command) => command.label.toLowerCase().startsWith(first);
  return [...matches.filter(begins), ...matches.filter((command) => !begins(command))];
}
