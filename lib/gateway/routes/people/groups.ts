import type { Group, GroupReference, GroupUser } from "@/lib/contract/operations/people/groups";
import { toUnixSeconds } from "../../clock";
import type { GroupRecord } from "../../people/group-store.sql";
import {
  addGroupUser,
  changeGroup,
  createGroup,
  deleteGroup,
  findGroup,
  findGroupUser,
  type GroupContext,
  type GroupUserContext,
  removeGroupUser,
} from "../../people/groups";
import type { UserRecord } from "../../people/user-store.sql";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";

type Ids = "listGroups" | "createGroup" | "retrieveGroup" | "changeGroup" | "deleteGroup";

export function groupRoutes(context: GroupContext): Handlers<Ids> {
  const { groups, groupCache } = context;
  return {
    listGroups: ({ query }) => paginateByNext(groups.pages(), query, toGroup),
    createGroup: async ({ body, request }) => toGroup(await createGroup(context, request, body)),
    retrieveGroup: async ({ params }) => toGroup(findGroup(groupCache, params.group_id)),
    changeGroup: async ({ params, body, request }) =>
      toGroup(await changeGroup(context, request, params.group_id, body)),
    deleteGroup: async ({ params: { group_id: id }, caller, request }) => {
      await deleteGroup(context, request, caller, id);
      return { object: "group.deleted", id, deleted: true };
    },
  };
}

function toGroup({ id, name, createdAtMs, isScimManaged }: GroupRecord): Group {
  const created_at = toUnixSeconds(createdAtMs);
  return { id, name, group_type: "group", is_scim_managed: isScimManaged, created_at };
}

export function toGroupReference({ id, name, createdAtMs, isScimManaged }: GroupRecord): GroupReference {
  return { object: "group", id, name, scim_managed: isScimManaged, created_at: toUnixSeconds(createdAtMs) };
}

type GroupUsersIds = "listGroupUsers" | "addGroupUser" | "retrieveGroupUser" | "removeGroupUser";

export function groupUserRoutes(context: GroupUserContext): Handlers<GroupUsersIds> {
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
