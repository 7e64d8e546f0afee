import type { Group, GroupReference } from "@/lib/contract/operations/groups";
import { createGroup, type GroupContext } from "../members/create-group";
import type { GroupRecord } from "../members/group-store";
import { renameGroup } from "../members/rename-group";
import type { OneAtATime } from "../ports/one-at-a-time";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, changeAccess, refuseExcessOf } from "../roles/change-access";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";
import { toUnixSeconds } from "./unix-seconds";

export interface GroupRoutesContext extends GroupContext {
  readonly graph: AccessGraph;
  readonly inTurn: OneAtATime;
}

type Ids = "listGroups" | "createGroup" | "retrieveGroup" | "changeGroup" | "deleteGroup";

export function groupRoutes(context: GroupRoutesContext): Handlers<Ids> {
  const { groupBook, inTurn } = context;
  return {
    listGroups: ({ query }) => paginateByNext(context.groups.listed(), query, toGroup),
    createGroup: ({ body }) => inTurn(async () => toGroup(await createGroup(context, body))),
    retrieveGroup: async ({ params }) => toGroup(groupBook.find(params.group_id)),
    changeGroup: ({ params, body }) =>
      inTurn(async () => toGroup(await renameGroup(context, params.group_id, body))),
    deleteGroup: ({ params: { group_id: id }, caller }) =>
      inTurn(async () => {
        await deleteGroup(context, caller, id);
        return { object: "group.deleted", id, deleted: true };
      }),
  };
}

function toGroup({ id, name, createdAtMs }: GroupRecord): Group {
  const created_at = toUnixSeconds(createdAtMs);
  return { id, name, group_type: "group", is_scim_managed: false, created_at };
}

export function toGroupReference({ id, name, createdAtMs }: GroupRecord): GroupReference {
  return { object: "group", id, name, scim_managed: false, created_at: toUnixSeconds(createdAtMs) };
}

async function deleteGroup(
  { groups, groupBook, graph }: GroupRoutesContext,
  actor: Actor,
  id: string,
): Promise<void> {
  groupBook.find(id);
  refuseExcessOf(actor, graph.directRoles({ id }));
  await changeAccess(graph, actor, {
    apply: (access) => access.removePrincipal({ kind: "group", id }),
    commit: () => groups.delete(id),
  });
  groupBook.remove(id);
}
