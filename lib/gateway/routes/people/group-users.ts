import type { GroupUser } from "@/lib/contract/operations/people/groups";
import {
  addGroupUser,
  findGroup,
  findGroupUser,
  type GroupUserContext,
  removeGroupUser,
} from "../../people/groups";
import type { UserRecord } from "../../people/user-store.sql";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";

type Ids = "listGroupUsers" | "addGroupUser" | "retrieveGroupUser" | "removeGroupUser";

export function groupUserRoutes(context: GroupUserContext): Handlers<Ids> {
  const { groups, groupCache, userCache } = context;
  return {
    listGroupUsers: async ({ params, query }) => {
      const { id } = findGroup(groupCache, params.group_id);
      return paginateByNext(groups.userPages(id), query, (member) => {
        const user = userCache.find(member.id);
        return user ? toGroupUser(user) : null;
      });
    },
    retrieveGroupUser: async ({ params: { group_id: groupId, user_id: userId } }) => ({
      ...toGroupUser(findGroupUser(context, { groupId, userId })),
      is_service_account: false,
      picture: null,
      user_type: "user",
    }),
    addGroupUser: async ({ params: { group_id }, body: { user_id }, caller, request }) => {
      await addGroupUser(context, request, caller, { groupId: group_id, userId: user_id });
      return { object: "group.user", group_id, user_id };
    },
    removeGroupUser: async ({ params: { group_id: groupId, user_id: userId }, caller, request }) => {
      await removeGroupUser(context, request, caller, { groupId, userId });
      return { object: "group.user.deleted", deleted: true };
    },
  };
}

function toGroupUser({ id, name, email }: UserRecord): GroupUser {
  return { id, name, email };
}
