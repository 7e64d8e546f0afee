import { findNamedGroup, listPlaces, listRoleCalls, listRoleNames, toHeld } from "../role-holders";
import { listActiveProjects, type Section } from "../section";

/** Groups and the roles that they hold. Who is in them isn't configured. */
export const groups: Section = {
  part: "groups",
  inside: null,
  reads: ["api.role_assignments.read"],
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
    if (change.kind === "create") yield { id: "createGroup", body: { name } };
    const { id } = findNamedGroup(view, name);
    if (change.kind === "remove") yield { id: "deleteGroup", params: { group_id: id } };
    else
      for (const [scope, wanted] of listPlaces(view, change))
        yield* listRoleCalls(view, { holder: { kind: "Group", id }, scope, wanted });
  },
};
