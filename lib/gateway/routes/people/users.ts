import { roleWord, toOrganizationRoleId } from "@/lib/contract/access/role-words";
import type { User } from "@/lib/contract/operations/people/users";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import { changeUser, findUser, removeUser, type UserContext } from "../../people/members";
import type { MemberSignIn, UserRecord } from "../../people/user-store.sql";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toRoleIds } from "./roles";

type Ids = "listUsers" | "retrieveUser" | "changeUser" | "deleteUser";

export function userRoutes(context: UserContext): Handlers<Ids> {
  const { graph, users, userCache } = context;
  return {
    listUsers: ({ query }) => {
      const since = query.not_signed_in_since;
      const userPages = users.pages({
        emails: query.emails?.map((email) => email.toLowerCase()),
        roleId: query.role_id && toOrganizationRoleId(query.role_id),
        groupId: query.group_id,
        hasTwoFactor: query.two_factor,
        isDeactivated: query.deactivated,
        notSignedInSinceMs: since === undefined ? undefined : since * 1000,
      });
      return paginate(userPages, query, (user) => ({ ...toUser(graph, user), ...toSignIn(user) }));
    },
    retrieveUser: async ({ params: { user_id: id } }) => ({
      ...toUser(graph, findUser(userCache, id)),
      ...toSignIn(await users.findSignIn(id)),
    }),
    changeUser: async ({ params: { user_id: id }, body, caller, request }) => ({
      ...toUser(graph, await changeUser(context, request, caller, id, body)),
      ...toSignIn(await users.findSignIn(id)),
    }),
    deleteUser: async ({ params: { user_id: id }, caller, request }) => {
      await removeUser(context, request, caller, id);
      return { object: "organization.user.deleted", id, deleted: true };
    },
  };
}

function toSignIn({ hasTwoFactor, lastSignedInAtMs }: MemberSignIn) {
  return { two_factor: hasTwoFactor, last_signed_in_at: toNullableUnixSeconds(lastSignedInAtMs) };
}

export function toUser(graph: AccessGraph, user: UserRecord): User {
  const heldRoles = graph.directRoles(user, null);
  const [first] = heldRoles;
  return {
    object: "organization.user",
    id: user.id,
    name: user.name,
    email: user.email,
    role: first ? roleWord(first.role.id) : null,
    roles: toRoleIds(heldRoles),
    added_at: toUnixSeconds(user.createdAtMs),
    developer_persona: user.developerPersona,
    technical_level: user.technicalLevel,
    is_scim_managed: user.directory !== null,
    deactivated_at: toNullableUnixSeconds(user.deactivatedAtMs),
  };
}
