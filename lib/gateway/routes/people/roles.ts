import type { RolePreview as PreviewReply, Role as RoleReply } from "@/lib/contract/operations/people/roles";
import type { KeyStore } from "../../keys/key-store.sql";
import { listInMemory } from "../../lists/paged-list";
import type { UserCache } from "../../people/members";
import type { HeldRole, Role } from "../../roles/access-graph";
import {
  changeRole,
  createRole,
  deleteRole,
  findRole,
  isPredefined,
  listRoles,
  previewRole,
  type RoleContext,
  type RolePreview,
} from "../../roles/roles";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";

export interface RoleRoutesContext extends RoleContext {
  readonly keys: KeyStore;
  readonly userCache: UserCache;
}

type Ids = "listRoles" | "createRole" | "retrieveRole" | "changeRole" | "deleteRole" | "previewRole";

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
    previewRole: async ({ params, body, caller }) =>
      toPreview(context, previewRole(graph, caller, { scope: null, id: params.role_id }, body)),
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

export async function toPreview(
  { keys, userCache }: RoleRoutesContext,
  { role, added: addedPermissions, removed: removedPermissions, members, refusal }: RolePreview,
): Promise<PreviewReply> {
  const adminKeys = await keys.adminKeysWith(role.id);
  return {
    object: "role.preview",
    role: toRole(role),
    adds: [...addedPermissions],
    removes: [...removedPermissions],
    members: members.flatMap(({ userId, gains, loses }) => {
      const user = userCache.find(userId);
      if (!user) return [];
      return [{ id: userId, name: user.name, email: user.email, gains: [...gains], loses: [...loses] }];
    }),
    admin_keys: adminKeys.map(({ id, name }) => ({ id, name })),
    refusal: refusal && {
      code: refusal.code,
      message: refusal.message,
      param: refusal.details.param ?? null,
    },
  };
}
