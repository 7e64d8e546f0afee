import { paths } from "@/lib/console/paths";
import type { Permission } from "@/lib/contract/access/permissions";

type ProjectTab = {
  id: string;
  label: string;
  /** The tab needs one of these permissions in the project. */
  permissions: readonly Permission[];
};

/** The tabs of a project's page. Everybody who sees the project sees the first. */
export const projectTabs = [
  { id: "overview", label: "Overview", permissions: ["api.projects.read"] },
  { id: "members", label: "Members", permissions: ["api.project_users.read", "api.project_groups.read"] },
  { id: "models", label: "Models", permissions: ["api.model_permissions.read"] },
  { id: "data", label: "Data", permissions: ["api.projects.read"] },
] as const satisfies readonly ProjectTab[];

export type ProjectTabId = (typeof projectTabs)[number]["id"];

/** The screens that took the place of former tabs, whose links lead on. */
export const formerTabs = new Map<unknown, (projectId: string) => string>([
  ["keys", paths.keys],
  ["roles", paths.roles],
  ["spend", paths.spendLimits],
]);

/** Returns true if the person has the permission in the project. */
export type MayInProject = (permission: Permission) => boolean;

/** Returns the tabs the person can see, and the one selected by the address. */
export function chooseTab(may: MayInProject, named: unknown) {
  const shown = projectTabs.filter(({ id, permissions }) => id === "overview" || permissions.some(may));
  return { shown, current: shown.find(({ id }) => id === named) ?? projectTabs[0] };
}
