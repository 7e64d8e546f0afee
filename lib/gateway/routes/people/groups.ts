import type { Group, GroupReference } from "@/lib/contract/operations/people/groups";
import { toUnixSeconds } from "../../clock";
import type { GroupRecord } from "../../people/group-store.sql";
import { changeGroup, createGroup, deleteGroup, findGroup, type GroupContext } from "../../people/groups";
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
