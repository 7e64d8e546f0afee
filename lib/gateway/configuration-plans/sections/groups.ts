import { invalid } from "../../refusal";
import type { Scope } from "../../scope";
import {
  type Fields,
  findNamedProject,
  listActiveProjects,
  type ObjectChange,
  type OperationCall,
  type Section,
  type SettingsView,
} from "../section";
import { findNamedRole } from "./roles";

type Names = readonly string[];

/** Groups and the roles that they hold. Who is in them isn't configured. */
export const groups: Section = {
  part: "groups",
  inside: null,
  reads: "api.role_assignments.read",
  isImplicit: false,
  write(view, file) {
    const projects = listActiveProjects(view.projectCache);
    file.groups = view.groupCache.list().map(({ id, name }) => {
      const held = projects.map((one) => [one.name, listRoleNames(view, id, one.id)] as const);
      const inProjects = held.filter(([, names]) => names.length > 0);
      return {
        name,
        roles: listRoleNames(view, id, null),
        ...(inProjects.length > 0 && { projects: Object.fromEntries(inProjects) }),
      };
    });
  },
  declare: ({ groups: declared = [] }) =>
    declared.map(({ name, roles, projects }) => ({
      path: ["groups", name],
      fields: {
        ...(roles && { roles: roles.toSorted() }),
        ...(projects && { projects: toHeld(projects) }),
      },
    })),
  covers: (file) => () => file.groups !== undefined,
  *calls(view, change) {
    const name = change.path[1] ?? "";
    const find = () => view.groupCache.list().find((one) => one.name === name);
    if (change.kind === "create") yield { id: "createGroup", body: { name } };
    const group = find();
    if (!group) throw invalid("groups", `There is no group "${name}".`);
    if (change.kind === "remove") yield { id: "deleteGroup", params: { group_id: group.id } };
    else
      for (const [scope, wanted] of listPlaces(view, change))
        yield* callsOfRoles(view, { groupId: group.id, scope, wanted });
  },
};

function listRoleNames({ graph }: SettingsView, id: string, scope: Scope): string[] {
  return graph
    .directRoles({ id }, scope)
    .map(({ role }) => role.name)
    .toSorted();
}

function toHeld(projects: Readonly<Record<string, Names>>): Fields | null {
  const held = Object.entries(projects).filter(([, names]) => names.length > 0);
  const sorted = held.toSorted().map(([project, names]) => [project, names.toSorted()] as const);
  return sorted.length > 0 ? Object.fromEntries(sorted) : null;
}

/** The places where the group's roles change, with those that it is to hold there. */
function listPlaces(view: SettingsView, { fields }: ObjectChange): (readonly [Scope, Names])[] {
  return fields.flatMap(({ name, before, after }): (readonly [Scope, Names])[] => {
    if (name === "roles") return [[null, (after ?? []) as Names] as const];
    const [old, wanted] = [before ?? {}, after ?? {}] as Record<string, Names>[];
    const projects = [...new Set([...Object.keys(old ?? {}), ...Object.keys(wanted ?? {})])];
    return projects.map((project) => [findNamedProject(view, project).id, wanted?.[project] ?? []] as const);
  });
}

function callsOfRoles(
  view: SettingsView,
  { groupId, scope, wanted }: { groupId: string; scope: Scope; wanted: Names },
): OperationCall[] {
  const kind = scope === null ? "GroupRole" : "ProjectGroupRole";
  const params = { group_id: groupId, ...(scope !== null && { project_id: scope }) };
  const held = view.graph.directRoles({ id: groupId }, scope).map(({ role }) => role);
  const given = wanted.filter((name) => !held.some((role) => role.name === name));
  const taken = held.filter((role) => !wanted.includes(role.name));
  return [
    ...given.map((name) => ({
      id: `assign${kind}` as const,
      params,
      body: { role_id: findNamedRole(view, name, scope).id },
    })),
    ...taken.map((role) => ({ id: `unassign${kind}` as const, params: { ...params, role_id: role.id } })),
  ];
}
