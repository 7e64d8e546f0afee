import { Folder, LogOut, type LucideIcon } from "lucide-react";
import { askToLeave } from "../form/unsaved";
import { leaveSignedOut } from "./leave-signed-out";
import { accountScreen, navigation } from "./navigation";
import type { ShellActions, ShellProject } from "./shell-data";
import { themes } from "./themes";

export type Command = { id: string; label: string; kind: string; icon: LucideIcon; run: () => void };

type CommandContext = ShellActions & {
  projects: readonly ShellProject[];
  currentProjectId: string | undefined;
  goTo: (href: string) => void;
  setTheme: (theme: string) => void;
};

/** Everything the palette offers, in the order of the sidebar. */
export function listCommands(context: CommandContext): Command[] {
  const screens = [...navigation, { label: "Person", screens: [accountScreen] }].flatMap(
    ({ label, screens: ofSection }) =>
      ofSection.map(({ href, label: screen, icon }) => ({
        id: href,
        label: screen,
        kind: label ?? "Screen",
        icon,
        run: () => askToLeave(() => context.goTo(href)),
      })),
  );
  const projects = context.projects
    .filter((project) => project.id !== context.currentProjectId)
    .map(({ id, name }) => ({
      id,
      label: `Switch to ${name}`,
      kind: "Project",
      icon: Folder,
      run: () => askToLeave(() => void context.selectProject(id)),
    }));
  const looks = themes.map(({ id, command, icon }) => ({
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
    run: () => leaveSignedOut(() => void context.signOut()),
  };
  return [...screens, ...projects, ...looks, signOut];
}

/** The commands of which a word begins with each word typed; those that begin with the first of them come first. */
export function searchCommands(commands: readonly Command[], search: string): Command[] {
  const typed = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label, kind }) => {
    const words = `${label} ${kind}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return typed.every((start) => words.some((word) => word.startsWith(start)));
  });
  const begins = (command: Command) => command.label.toLowerCase().startsWith(typed[0] ?? "");
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}
