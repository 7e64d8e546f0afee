import type { DeclaredMember } from "../../configuration/declared-objects";
import { invalid } from "../../refusal";
import { findNamedGroup, listPlaces, listRoleCalls, listRoleNames, toHeld } from "../role-holders";
import {
  after,
  findNamedProject,
  listActiveProjects,
  type ObjectChange,
  type OperationCall,
  type Section,
  type SettingsView,
} from "../section";
import { findNamedRole } from "./roles";

/** Members by their addresses, and those who are invited. Somebody new is invited. */
export const members: Section = {
  part: "members",
  inside: null,
  reads: ["api.users.read", "api.invites.read", "api.role_assignments.read", "api.groups.read"],
  isImplicit: false,
  write(view, file) {
    const joined = view.userCache.list().map((user) => writeMember(view, user));
    const addresses = new Set(joined.map(({ email }) => email));
    const invited = view.invited.filter(({ email }) => !addresses.has(email));
    file.members = [...joined, ...invited.map((invite) => writeInvited(view, invite))];
  },
  declare: ({ members: declared = [] }) =>
    declared.map(({ email, roles, groups, projects }) => ({
      path: ["members", email],
      fields: {
        ...(roles && { roles: roles.toSorted() }),
        ...(groups && { groups: groups.toSorted() }),
        ...(projects && { projects: toHeld(projects) }),
      },
    })),
  covers: (file) => () => file.members !== undefined,
  *calls(view, change) {
    const email = change.path[1] ?? "";
    const member = view.userCache.findByEmail(email);
    if (member) yield* callsOfMember(view, change, member.id);
    else yield* callsOfInvited(view, change, email);
  },
};

function writeMember(view: SettingsView, { id, email }: { id: string; email: string }): DeclaredMember {
  const groupNames = view.graph.listGroups(id).flatMap((group) => view.groupCache.find(group)?.name ?? []);
  const held = listActiveProjects(view.projectCache).map(
    (one) => [one.name, listRoleNames(view, id, one.id)] as const,
  );
  return writeHeld({ email, roles: listRoleNames(view, id, null), groups: groupNames, held });
}

function writeInvited(view: SettingsView, invite: SettingsView["invited"][number]): DeclaredMember {
  const nameOf = (id: string) => view.graph.findRole(id)?.name ?? id;
  const held = invite.projects.flatMap(({ projectId, roleId }) => {
    const project = view.projectCache.find(projectId);
    return project?.archivedAtMs === null ? [[project.name, [nameOf(roleId)]] as const] : [];
  });
  const groups = invite.groupIds.flatMap((id) => view.groupCache.find(id)?.name ?? []);
  return writeHeld({ email: invite.email, roles: [nameOf(invite.roleId)], groups, held });
}

function writeHeld({
  email,
  roles,
  groups,
  held,
}: {
  readonly email: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly held: readonly (readonly [string, readonly string[]])[];
}): DeclaredMember {
  const inProjects = held.filter(([, names]) => names.length > 0).map(([name, names]) => [name, [...names]]);
  return {
    email,
    roles: roles.toSorted(),
    groups: groups.toSorted(),
    projects: Object.fromEntries(inProjects),
  };
}

function* callsOfMember(view: SettingsView, change: ObjectChange, id: string): Iterable<OperationCall> {
  if (change.kind === "remove") {
    yield { id: "deleteUser", params: { user_id: id } };
    return;
  }
  for (const [scope, wanted] of listPlaces(view, change))
    yield* listRoleCalls(view, { holder: { kind: "User", id }, scope, wanted });
  const { groups } = after(change) as { groups?: readonly string[] | null };
  if (groups === undefined) return;
  const wanted = (groups ?? []).map((name) => findNamedGroup(view, name).id);
  const present = view.graph.listGroups(id);
  for (const group_id of wanted.filter((one) => !present.includes(one)))
    yield { id: "addGroupUser", params: { group_id }, body: { user_id: id } };
  for (const group_id of present.filter((one) => !wanted.includes(one)))
    yield { id: "removeGroupUser", params: { group_id, user_id: id } };
}

/** An invitation isn't changed: another one takes its place. */
function* callsOfInvited(view: SettingsView, change: ObjectChange, email: string): Iterable<OperationCall> {
  const pending = view.invited.find((invite) => invite.email === email);
  if (pending) yield { id: "deleteInvite", params: { invite_id: pending.id } };
  if (change.kind === "remove") return;
  const before = pending ? writeInvited(view, pending) : {};
  const wanted = { ...before, ...after(change) } as Partial<DeclaredMember>;
  const [role, ...others] = wanted.roles ?? [];
  if (role === undefined || others.length > 0)
    throw invalid("members", "somebody who hasn't joined yet is invited with one role: name exactly one.");
  const projects = Object.entries(wanted.projects ?? {}).filter(([, names]) => names.length > 0);
  const crowded = projects.find(([, names]) => names.length > 1);
  if (crowded)
    throw invalid("members", `an invitation gives one role in each project: name one in "${crowded[0]}".`);
  yield {
    id: "createInvite",
    body: {
      email,
      role: findNamedRole(view, role, null).id,
      projects: projects.map(([name, [own = ""]]) => {
        const { id } = findNamedProject(view, name);
        return { id, role: findNamedRole(view, own, id).id };
      }),
      ...(wanted.groups?.length && { groups: wanted.groups.map((name) => findNamedGroup(view, name).id) }),
    },
  };
}
