import { permissions } from "@/lib/contract/access/permissions";
import type { DeclaredRole } from "../../configuration/declared-objects";
import { invalid } from "../../refusal";
import type { Role } from "../../roles/access-graph";
import { isPredefined, listRoles } from "../../roles/roles";
import type { Scope } from "../../scope";
import {
  after,
  coversInside,
  type Fields,
  findNamedProject,
  listActiveProjects,
  type ObjectChange,
  type OperationCall,
  projectIn,
  type Section,
  type SettingsView,
} from "../section";

/** The organization's roles, besides the predefined ones. */
export const roles: Section = {
  part: "roles",
  inside: null,
  reads: ["api.roles.read"],
  isImplicit: false,
  write(view, file) {
    file.roles = writeRoles(view, null);
  },
  declare: ({ roles: declared = [] }) =>
    declared.map((role) => ({ path: ["roles", role.name], fields: toFields(role) })),
  covers: (file) => () => file.roles !== undefined,
  calls: (view, change) => callsOfRole(view, change, null),
};

/** The roles of projects. */
export const projectRoles: Section = {
  part: "projects",
  inside: "roles",
  reads: ["api.roles.read"],
  isImplicit: false,
  write(view, file) {
    for (const { id, name } of listActiveProjects(view.projectCache)) {
      const own = writeRoles(view, id);
      if (own.length > 0) projectIn(file, name).roles = own as never;
    }
  },
  declare: ({ projects = [] }) =>
    projects.flatMap(({ name, roles: declared = [] }) =>
      declared.map((role) => ({ path: ["projects", name, "roles", role.name], fields: toFields(role) })),
    ),
  covers: coversInside("roles"),
  calls: (view, change) => callsOfRole(view, change, findNamedProject(view, change.path[1] ?? "").id),
};

function writeRoles({ graph }: SettingsView, scope: Scope): DeclaredRole[] {
  return listRoles(graph, scope)
    .filter((role) => !isPredefined(role.id) && role.projectId === scope)
    .map(({ name, description, permissions: held }) => ({
      name,
      ...(description !== null && { description }),
      permissions: [...held],
    }));
}

function toFields({ description, permissions: held }: DeclaredRole): Fields {
  return {
    ...(description !== undefined && { description: description || null }),
    permissions: permissions.filter((permission) => held.includes(permission)),
  };
}

function callsOfRole(view: SettingsView, change: ObjectChange, scope: Scope): readonly OperationCall[] {
  const name = change.path.at(-1) ?? "";
  const kind = scope === null ? "Role" : "ProjectRole";
  const place: Record<string, string> = scope === null ? {} : { project_id: scope };
  if (change.kind === "create")
    return [{ id: `create${kind}`, params: place, body: { role_name: name, ...after(change) } }];
  const params = { ...place, role_id: findNamedRole(view, name, scope).id };
  if (change.kind === "remove") return [{ id: `delete${kind}`, params }];
  return [{ id: `change${kind}`, params, body: after(change) }];
}

/** The role of this name. @throws Refusal 400. */
export function findNamedRole({ graph }: SettingsView, name: string, scope: Scope): Role {
  const found = listRoles(graph, scope).find((role) => role.name === name);
  if (!found) throw invalid("roles", `There is no role "${name}"${scope === null ? "" : " in the project"}.`);
  return found;
}
