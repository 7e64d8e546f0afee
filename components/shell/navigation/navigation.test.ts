import { expect, test } from "bun:test";
import { Glob } from "bun";
import { projectPermissions } from "@/lib/contract/access/permissions";
import { projectMemberRole } from "@/lib/contract/access/predefined-roles";
import { listCommands, searchCommands } from "../palette/commands";
import { findScreen } from "./find-screen";
import { accountScreen, navigation } from "./navigation";
import { shownTo } from "./shown-to";

const screens = navigation.flatMap((section) => section.screens);

test("a member with permissions in only one project sees the screens that they open there", () => {
  const heldPermissions = { organization: [], project: projectMemberRole.permissions };
  const shownSections = shownTo(heldPermissions).map(({ label, screens: open }) => [
    label,
    ...open.map((screen) => screen.label),
  ]);
  expect(shownSections).toEqual([
    [undefined, "Playground", "Prompts"],
    ["Activity", "Usage", "Tasks", "Batches", "Files"],
    ["Access", "Projects"],
    ["Limits and models", "Rate limits", "Models and rates"],
    ["Billing", "Calculator"],
  ]);
  const projectPaths = screens.flatMap(({ scope, permissions = [] }) =>
    scope === "project" ? permissions : [],
  );
  expect(projectPaths.filter((name) => !projectPermissions.some((one) => one === name))).toEqual([]);
});

test("each page is below a screen of the navigation, and each screen has its page", () => {
  const pages = [...new Glob("**/page.tsx").scanSync("app/(console)")].map((path) => {
    const folders = path.split("/").slice(0, -1);
    return `/${folders.filter((folder) => !folder.startsWith("(")).join("/")}`;
  });
  expect(pages.filter((address) => !findScreen(address))).toEqual([]);
  const addresses = [...screens, accountScreen].map(({ href }) => href);
  expect(addresses.filter((href) => !pages.includes(href))).toEqual([]);
});

test("finds the screen of an address below it, but not of an address that only shares its beginning", () => {
  expect(findScreen("/roles/role_1")?.screen.label).toBe("Roles");
  expect(findScreen("/rolesque")).toBeUndefined();
  expect(findScreen("/")?.screen.label).toBe("Overview");
});

test("all projects can be switched to by whoever has several, unless they are selected", () => {
  const labels = (names: readonly string[], isEveryProject: boolean) =>
    listCommands({
      projects: names.map((name) => ({ id: `proj_${name}`, name })),
      currentProjectId: isEveryProject ? undefined : "proj_Current",
      isEveryProject,
      permissions: undefined,
      selectProject: async () => ({ ok: true as const }),
      signOut: async () => ({ ok: true as const }),
      goTo: () => {},
      setTheme: () => {},
    })
      .filter(({ kind }) => kind === "Project")
      .map(({ label }) => label);
  expect(labels(["Current", "Other"], false)).toEqual(["Switch to all projects", "Switch to Other"]);
  expect(labels(["Current", "Other"], true)).toEqual(["Switch to Current", "Switch to Other"]);
  expect(labels(["Current"], false)).toEqual([]);
});

test("finds commands by any of their words, those that begin with them first, without the current project", () => {
  const commands = listCommands({
    projects: [
      { id: "proj_1", name: "Roles of the theatre" },
      { id: "proj_2", name: "Current" },
    ],
    currentProjectId: "proj_2",
    isEveryProject: false,
    permissions: undefined,
    selectProject: async () => ({ ok: true as const }),
    signOut: async () => ({ ok: true as const }),
    goTo: () => {},
    setTheme: () => {},
  });
  const labels = (search: string) => searchCommands(commands, search).map((command) => command.label);
  expect(labels("rol")).toEqual(["Roles", "Switch to Roles of the theatre"]);
  expect(labels("models rates")).toEqual(["Models and rates"]);
  expect(labels("current")).toEqual([]);
});
