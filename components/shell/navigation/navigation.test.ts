import { expect, test } from "bun:test";
import { Glob } from "bun";
import { findProjectIn } from "@/lib/console/paths";
import { projectPermissions } from "@/lib/contract/access/permissions";
import { predefinedRoles, projectMemberRole } from "@/lib/contract/access/predefined-roles";
import { listCommands, searchCommands } from "../palette/commands";
import { findScreen } from "./find-screen";
import { accountEntry, navigation } from "./navigation";
import { shownTo } from "./shown-to";

const entries = navigation.flat();
const screens = entries.flatMap((entry) => entry.screens);

const rightsOf = (roleId: string) => {
  const role = predefinedRoles.find(({ id }) => id === roleId);
  const permissions: readonly string[] = role?.permissions ?? [];
  return { organization: permissions, project: permissions };
};
const shown = (held: Parameters<typeof shownTo>[0]) =>
  shownTo(held)
    .flat()
    .map(({ label, screens: tabs }) =>
      tabs.length === 1 ? label : `${label}: ${tabs.map((tab) => tab.label).join(", ")}`,
    );

test("who may see everything has eleven entries, whose screens are tabs", () => {
  expect(shown(rightsOf("role_owner"))).toEqual(shown(undefined));
  expect(entries.map(({ label }) => label)).toEqual([
    "Overview",
    "Playground",
    "Activity",
    "Usage",
    "Projects",
    "Keys",
    "People",
    "Models",
    "Limits",
    "Billing",
    "Settings",
  ]);
  expect(new Set(entries.map(({ letter }) => letter)).size).toBe(entries.length);
});

test("without the permission an entry isn't there, and with one tab left it takes that tab's name", () => {
  expect(shown(rightsOf("role_finance"))).toEqual([
    "Overview",
    "Requests",
    "Usage",
    "Models",
    "Spend limits",
    "Billing: Balance, Statements, Calculator",
  ]);
  expect(shown(rightsOf("role_prompt_tester"))).toEqual([
    "Playground: Chat, Prompts",
    "Tasks",
    "Usage",
    "Models",
  ]);
  expect(shown({ organization: [], project: projectMemberRole.permissions })).toEqual([
    "Playground: Chat, Prompts",
    "Activity: Tasks, Batches, Files",
    "Usage",
    "Models",
    "Rate limits",
  ]);
});

test("what a project's screen needs can be given in a project", () => {
  const needed = screens.flatMap(({ scope, permissions = [] }) => (scope === "project" ? permissions : []));
  expect(needed.filter((name) => !projectPermissions.some((one) => one === name))).toEqual([]);
});

test("each page is below a screen of the navigation, and each screen has its page", () => {
  const pages = [...new Glob("**/page.tsx").scanSync("app/(console)")].map((path) => {
    const folders = path.split("/").slice(0, -1);
    return `/${folders.filter((folder) => !folder.startsWith("(")).join("/")}`;
  });
  expect(pages.filter((address) => !findScreen(address))).toEqual([]);
  const addresses = [...screens, ...accountEntry.screens].map(({ address }) => address("[id]"));
  expect(addresses.filter((href) => !pages.includes(decodeURIComponent(href)))).toEqual([]);
});

test("finds the screen of an address below it, but not of an address that only shares its beginning", () => {
  expect(findScreen("/roles/role_1")).toMatchObject({
    entry: { label: "People" },
    screen: { label: "Roles" },
  });
  expect(findScreen("/rolesque")).toBeUndefined();
  expect(findScreen("/")?.screen.label).toBe("Overview");
  expect(findScreen("/payments/import")).toMatchObject({ screen: { label: "Balance" }, href: "/payments" });
});

const list = (pathname: string, ...names: readonly string[]) =>
  listCommands({
    projects: names.map((name) => ({ id: `proj_${name}`, name })),
    pathname,
    linkedProject: "proj_Current",
    addressOf: ({ address }) => address("proj_Current"),
    permissions: undefined,
    signOut: async () => ({ ok: true as const }),
    goTo: () => {},
    setTheme: () => {},
  });

test("where a screen shows a project, it can be shown for the others, and for all together if it lists them", () => {
  const switches = (pathname: string, ...names: readonly string[]) =>
    list(pathname, ...names)
      .filter(({ kind }) => kind === "Project")
      .map(({ label }) => label);
  const tasks = "/projects/proj_Current/tasks";
  expect(switches(tasks, "Current", "Other")).toEqual(["Switch to all projects", "Switch to Other"]);
  expect(switches("/projects/all/tasks", "Current", "Other")).toEqual([
    "Switch to Current",
    "Switch to Other",
  ]);
  expect(switches("/projects/proj_Current/limits/gpt-5", "Current", "Other")).toEqual([
    "Switch to all projects",
    "Switch to Other",
  ]);
  expect(switches("/projects/proj_Current/keys", "Current", "Other")).toEqual(["Switch to Other"]);
  expect(switches("/members", "Current", "Other")).toEqual([]);
  expect(switches(tasks, "Current")).toEqual([]);
});

test("the address of a screen names its project", () => {
  expect(findProjectIn("/projects/proj_1/limits/gpt-5")).toBe("proj_1");
  expect(findProjectIn("/projects/all/tasks")).toBe("all");
  expect(findProjectIn("/projects/proj_1")).toBeUndefined();
  expect(findScreen("/projects/proj_1/limits/gpt-5")).toMatchObject({
    screen: { label: "Rate limits" },
    href: "/projects/proj_1/limits",
  });
  expect(findScreen("/projects/proj_1")?.screen.label).toBe("Projects");
});

const commands = list("/projects/proj_Current/tasks", "Roles of the theatre", "Current");
const find = (search: string) => searchCommands(commands, search).map((command) => command.label);

test("finds commands by any of their words, those that begin with them first, without the current project", () => {
  expect(find("rol")).toEqual(["People › Roles", "Switch to Roles of the theatre"]);
  expect(find("current")).toEqual([]);
});

test("the palette finds screens by what they are, and by what they were called", () => {
  expect(find("models and rates")).toEqual(["Models"]);
  expect(find("admin keys")).toEqual(["Keys › Admin keys"]);
  expect(find("provider")).toEqual(["Models › Providers"]);
  expect(find("compare")).toEqual(["Billing › Statements"]);
  expect(find("reconcile")).toEqual(["Billing › Reconcile", "Billing › Statements"]);
  expect(find("payments").slice(0, 2)).toEqual(["Billing › Payments", "Billing › Balance"]);
  expect(find("set limit")).toEqual(["Limits › Rate limits", "Limits › Spend limits"]);
  expect(find("audit")).toEqual(["Settings › Audit log"]);
  expect(find("keys")[0]).toBe("Keys › Project keys");
});
