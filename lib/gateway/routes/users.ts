import type { User, UserChange } from "@/lib/contract/operations/users";
import { roleIdOf, roleWord } from "@/lib/contract/role-words";
import { findUser } from "../members/find-user";
import type { UserBook } from "../members/user-book";
import type { UserRecord, UserStore } from "../members/user-store";
import type { OneAtATime } from "../ports/one-at-a-time";
import type { AccessGraph } from "../roles/access-graph";
import { type AssignmentContext, seatRoles } from "../roles/assign-roles";
import { type Actor, changeAccess, refuseExcessOf } from "../roles/change-access";
import { findRole } from "../roles/find-role";
import type { SessionBook } from "../sessions/session-book";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toRoleIds } from "./roles";
import { toUnixSeconds } from "./unix-seconds";

export interface UserRoutesContext extends AssignmentContext {
  readonly users: UserStore;
  readonly userBook: UserBook;
  readonly sessionBook: SessionBook;
  readonly inTurn: OneAtATime;
}

type Ids = "listUsers" | "retrieveUser" | "changeUser" | "deleteUser";

export function userRoutes(context: UserRoutesContext): Handlers<Ids> {
  const { graph, userBook, inTurn } = context;
  return {
    listUsers: ({ query }) => {
      const listed = context.users.listed(query.emails?.map((email) => email.toLowerCase()));
      return paginate(listed, query, (user) => toUser(graph, user));
    },
    retrieveUser: async ({ params }) => toUser(graph, findUser(userBook, params.user_id)),
    changeUser: ({ params, body, caller }) =>
      inTurn(async () => toUser(graph, await changeUser(context, caller, params.user_id, body))),
    deleteUser: ({ params, caller }) =>
      inTurn(async () => {
        await removeUser(context, caller, params.user_id);
        return { object: "organization.user.deleted", id: params.user_id, deleted: true };
      }),
  };
}

export function toUser(graph: AccessGraph, user: UserRecord): User {
  const held = graph.directRoles(user, null);
  const [first] = held;
  return {
    object: "organization.user",
    id: user.id,
    name: user.name,
    email: user.email,
    role: first ? roleWord(first.role.id) : null,
    roles: toRoleIds(held),
    added_at: toUnixSeconds(user.createdAtMs),
    developer_persona: user.developerPersona,
    technical_level: user.technicalLevel,
  };
}

/** The roles come first: where they are refused, nothing changes. */
async function changeUser(
  context: UserRoutesContext,
  actor: Actor,
  id: string,
  change: UserChange,
): Promise<UserRecord> {
  const { graph, users, userBook } = context;
  const user = findUser(userBook, id);
  const [param, named] = change.role_id
    ? (["role_id", change.role_id] as const)
    : (["role", change.role] as const);
  if (named) {
    const role = findRole(graph, roleIdOf(named, false), null, param);
    await seatRoles(context, actor, { principal: { kind: "user", id }, projectId: null }, [role]);
  }
  if (change.developer_persona === undefined && change.technical_level === undefined) return user;
  const changed = {
    ...user,
    developerPersona: changedNote(user.developerPersona, change.developer_persona),
    technicalLevel: changedNote(user.technicalLevel, change.technical_level),
  };
  await users.update(changed);
  userBook.put(changed);
  return changed;
}

function changedNote(before: string | null, after: string | null | undefined): string | null {
  return after === undefined ? before : after || null;
}

async function removeUser(
  { graph, users, userBook, sessionBook, effects }: UserRoutesContext,
  actor: Actor,
  id: string,
): Promise<void> {
  findUser(userBook, id);
  const principal = { kind: "user" as const, id };
  refuseExcessOf(actor, graph.rolesOfUser(id));
  await changeAccess(graph, actor, {
    apply: (access) => access.removePrincipal(principal),
    commit: () => users.remove(id, effects.clock.nowMs()),
  });
  userBook.remove(id);
  sessionBook.removeOf(principal);
}
