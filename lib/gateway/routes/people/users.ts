import { roleWord } from "@/lib/contract/access/role-words";
import type { User } from "@/lib/contract/operations/people/users";
import { changeUser, findUser, removeUser, type UserContext } from "../../people/members";
import type { UserRecord } from "../../people/user-store.sql";
import type { AccessGraph } from "../../roles/access-graph";
import { toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toRoleIds } from "./roles";

type Ids = "listUsers" | "retrieveUser" | "changeUser" | "deleteUser";

export function userRoutes(context: UserContext): Handlers<Ids> {
  const { graph, users, userMirror } = context;
  return {
    listUsers: ({ query }) => {
      const userPages = users.pages(query.emails?.map((email) => email.toLowerCase()));
      return paginate(userPages, query, (user) => toUser(graph, user));
    },
    retrieveUser: async ({ params }) => toUser(graph, findUser(userMirror, params.user_id)),
    changeUser: async ({ params, body, caller, request }) =>
      toUser(graph, await changeUser(context, request, caller, params.user_id, body)),
    deleteUser: async ({ params: { user_id: id }, caller, request }) => {
      await removeUser(context, request, caller, id);
      return { object: "organization.user.deleted", id, deleted: true };
    },
  };
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
  };
}
