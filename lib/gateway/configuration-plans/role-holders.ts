import type { GroupRecord } from "../people/group-store.sql";
import { invalid } from "../refusal";
import type { Scope } from "../scope";
import {
  type Fields,
  findNamedProject,
  type ObjectChange,
  type OperationCall,
  type SettingsView,
} from "./section";
import { findNamedRole } from "./sections/roles";

type Names = readonly string[];

/** The names of the roles that somebody or a group holds directly. */
export function listRoleNames({ graph }: SettingsView, id: string, scope: Scope): string[] {
  return graph
    .directRoles({ id }, scope)
    .map(({ role }) => role.name)
    .toSorted();
}

/** Roles by project, null for none. */
export function toHeld(projects: Readonly<Record<string, Names>>): Fields | null {
  const held = Object.entries(projects).filter(([, names]) => names.length > 0);
  const sorted = held.toSorted().map(([project, names]) => [project, names.toSorted()] as const);
  return sorted.length > 0 ? Object.fromEntries(sorted) : null;
}

/** The places where a holder's roles change, with those that are to be held there. */
export function listPlaces(view: SettingsView, { fields }: ObjectChange): (readonly [Scope, Names])[] {
  return fields.flatMap(({ name, before, after }): (readonly [Scope, Names])[] => {
    if (name === "roles") return [[null, (after ?? []) as Names] as const];
    if (name !== "projects") return [];
    const [old, wanted] = [before ?? {}, after ?? {}] as Record<string, Names>[];
    const projects = [...new Set([...Object.keys(old ?? {}), ...Object.keys(wanted ?? {})])];
    return projects.map((project) => [findNamedProject(view, project).id, wanted?.[project] ?? []] as const);
  });
}

/** The operations that give a holder the wanted roles in a place, and take the others. */
export function listRoleCalls(
  view: SettingsView,
  { holder, scope, wanted }: { holder: { kind: "Group" | "User"; id: string }; scope: Scope; wanted: Names },
): OperationCall[] {
  const kind = scope === null ? (`${holder.kind}Role` as const) : (`Project${holder.kind}Role` as const);
  const subject = holder.kind === "Group" ? "group_id" : "user_id";
  const params: Record<string, string> = {
    [subject]: holder.id,
    ...(scope !== null && { project_id: scope }),
  };
  const held = view.graph.directRoles({ id: holder.id }, scope).map(({ role }) => role);
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

/** The group of this name. @throws Refusal 400. */
export function findNamedGroup({ groupCache }: SettingsView, name: string): GroupRecord {
  const group = groupCache.list().find((one) => one.name === name);
  if (!group) throw invalid("groups", `There is no group "${name}".`);
  return group;
}
