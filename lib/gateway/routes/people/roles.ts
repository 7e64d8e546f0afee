import { ROLE_VIEW_HEADER, writeRoleView } from "@/lib/contract/access/role-view";
import type { RolePreview as PreviewReply, Role as RoleReply } from "@/lib/contract/operations/people/roles";
import type { Caller } from "../../access/caller";
import type { ReviewContext } from "../../access-reviews/refused-by-change";
import type { KeyStore } from "../../keys/key-store.sql";
import { listInMemory } from "../../lists/paged-list";
import type { GroupCache } from "../../people/groups";
import type { HeldRole, Role } from "../../roles/access-graph";
import { previewRole, type RolePreview } from "../../roles/preview-role";
import {
  changeRole,
  createRole,
  deleteRole,
  findRole,
  isPredefined,
  listRoles,
  type RoleContext,
  viewRole,
} from "../../roles/roles";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";
import { describeRefused } from "./user-changes";

export interface RoleRoutesContext extends RoleContext, ReviewContext {
  readonly keys: KeyStore;
  readonly groupCache: GroupCache;
}

type Ids =
  | "listRoles"
  | "createRole"
  | "retrieveRole"
  | "changeRole"
  | "deleteRole"
  | "previewRole"
  | "viewAsRole";

export function roleRoutes(context: RoleRoutesContext): Handlers<Ids> {
  const { graph } = context;
  return {
    listRoles: ({ query }) => paginateByNext(listInMemory(listRoles(graph, null)), query, toRole),
    createRole: async ({ body, caller, request }) =>
      toRole(await createRole(context, request, caller, null, body)),
    retrieveRole: async ({ params }) => toRole(findRole(graph, params.role_id, null)),
    changeRole: async ({ params, body, caller, request }) =>
      toRole(await changeRole(context, request, caller, { scope: null, id: params.role_id }, body)),
    deleteRole: async ({ params: { role_id: id }, caller, request }) => {
      await deleteRole(context, request, caller, { scope: null, id });
      return { object: "role.deleted", id, deleted: true };
    },
    viewAsRole: async ({ body: { role_id: id, permissions }, request }) => {
      const shown = await viewRole(context, request, id, permissions);
      const view = { permissions: shown, projectId: null };
      return {
        object: "role.view",
        role_id: id,
        header: { name: ROLE_VIEW_HEADER, value: writeRoleView(view) },
        permissions: [...shown],
      };
    },
    previewRole: async ({ params, body, caller }) =>
      describeRolePreview(
        context,
        caller,
        previewRole(graph, caller, { scope: null, id: params.role_id }, body),
      ),
  };
}

export function toRole({ id, name, description, permissions, resourceType }: Role): RoleReply {
  return {
    object: "role",
    id,
    name,
    description,
    permissions: [...permissions],
    resource_type: resourceType,
    predefined_role: isPredefined(id),
  };
}

/** The ids of the held roles, sorted. */
export function toRoleIds(heldRoles: readonly HeldRole[]): string[] {
  return heldRoles.map(({ role }) => role.id).toSorted();
}

/** The preview of a role's change, with what it would have refused as far as the caller may see that. */
export async function describeRolePreview(
  context: RoleRoutesContext,
  caller: Pick<Caller, "permissionsIn">,
  preview: RolePreview,
): Promise<PreviewReply> {
  const { keys, userCache, groupCache } = context;
  const { role, added, removed, members, groups, refusal } = preview;
  const adminKeys = await keys.adminKeysWith(role.id);
  const nameGroup = (id: string) => groupCache.find(id)?.name ?? id;
  return {
    object: "role.preview",
    role: toRole(role),
    adds: [...added],
    removes: [...removed],
    members: members.flatMap(({ id, gains, loses, keptBy, heldBy }) => {
      const user = userCache.find(id);
      if (!user) return [];
      const { name, email } = user;
      const sources = heldBy.map(({ kind, id: by }) => ({
        type: kind,
        id: by,
        name: kind === "user" ? name : nameGroup(by),
      }));
      const effect = { gains: [...gains], loses: [...loses], kept_by: keptBy.map(toReference) };
      return [{ id, name, email, ...effect, held_by: sources }];
    }),
    groups: groups.map(({ id, gains, loses, keptBy, userIds }) => {
      const effect = { gains: [...gains], loses: [...loses], kept_by: keptBy.map(toReference) };
      return { id, name: nameGroup(id), ...effect, members: userIds.length };
    }),
    admin_keys: adminKeys.map(toReference),
    refused: await describeRefused(context, caller, {
      graphAfter: preview.graphAfter,
      loserIds: [
        ...members.filter(({ loses }) => loses.length > 0),
        ...(removed.length > 0 ? adminKeys : []),
      ].map(({ id }) => id),
      projectId: role.projectId,
      keys: adminKeys,
    }),
    refusal: refusal && {
      code: refusal.code,
      message: refusal.message,
      param: refusal.details.param ?? null,
    },
  };
}

function toReference({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name };
}
