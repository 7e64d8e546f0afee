import type { GroupUser } from "@/lib/contract/operations/group-users";
import { findUser } from "../members/find-user";
import type { UserBook } from "../members/user-book";
import type { UserRecord } from "../members/user-store";
import { conflict, notFound } from "../ports/refusal";
import { changeAccess, refuseExcessOf } from "../roles/change-access";
import type { GroupRoutesContext } from "./groups";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";

type Ids = "listGroupUsers" | "addGroupUser" | "retrieveGroupUser" | "removeGroupUser";

export function groupUserRoutes(context: GroupRoutesContext & { userBook: UserBook }): Handlers<Ids> {
  const { groups, groupBook, userBook, graph, inTurn, effects } = context;
  const isIn = (groupId: string, userId: string) => graph.groupsOf(userId).includes(groupId);
  /** @throws Refusal 404 for a member who is not in the group. */
  const findIn = (groupId: string, userId: string): UserRecord => {
    groupBook.find(groupId);
    if (!isIn(groupId, userId)) throw notFound("user in this group", userId, "user_id");
    return findUser(userBook, userId);
  };
  return {
    listGroupUsers: async ({ params, query }) => {
      const { id } = groupBook.find(params.group_id);
      return paginateByNext(groups.listedUsers(id), query, (member) => {
        const user = userBook.find(member.id);
        return user ? toGroupUser(user) : null;
      });
    },
    retrieveGroupUser: async ({ params }) => ({
      ...toGroupUser(findIn(params.group_id, params.user_id)),
      is_service_account: false,
      picture: null,
      user_type: "user",
    }),
    addGroupUser: ({ params: { group_id }, body: { user_id }, caller }) =>
      inTurn(async () => {
        const { name } = groupBook.find(group_id);
        findUser(userBook, user_id);
        if (isIn(group_id, user_id)) throw conflict("user_id", `This member is in "${name}" already.`);
        refuseExcessOf(caller, graph.directRoles({ id: group_id }));
        await changeAccess(graph, caller, {
          apply: (access) => access.addToGroup(group_id, user_id),
          commit: () => groups.addUser(group_id, user_id, effects.clock.nowMs()),
        });
        return { object: "group.user", group_id, user_id };
      }),
    removeGroupUser: ({ params: { group_id, user_id }, caller }) =>
      inTurn(async () => {
        findIn(group_id, user_id);
        refuseExcessOf(caller, graph.directRoles({ id: group_id }));
        await changeAccess(graph, caller, {
          apply: (access) => access.removeFromGroup(group_id, user_id),
          commit: () => groups.removeUser(group_id, user_id),
        });
        return { object: "group.user.deleted", deleted: true };
      }),
  };
}

function toGroupUser({ id, name, email }: UserRecord): GroupUser {
  return { id, name, email };
}
