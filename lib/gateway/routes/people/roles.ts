import { isPermission, permissionCatalogue } from "@/lib/contract/access/permissions";
import { ROLE_VIEW_HEADER, writeRoleView } from "@/lib/contract/access/role-view";
import type {
  RolePreview as PreviewReply,
  RoleHolder,
  Role as RoleReply,
} from "@/lib/contract/operations/people/roles";
import type { Caller } from "../../access/caller";
import { type ExplanationContext, explainAccess } from "../../access/explain-access";
import { type HolderContext, listPermissionHolders } from "../../access-reviews/permission-holders";
import type { ReviewContext } from "../../access-reviews/refused-by-change";
import type { AdminKeyRecord } from "../../keys/key-records";
import type { KeyStore } from "../../keys/key-store.sql";
import { listInMemory, mergeById } from "../../lists/paged-list";
import type { GroupCache } from "../../people/groups";
import type { UserCache } from "../../people/members";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { AccessGraph, HeldRole, Role } from "../../roles/access-graph";
import { previewRole, type RolePreview } from "../../roles/preview-role";
import type { RoleAssignment, RoleStore } from "../../roles/role-store.sql";
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

interface Context {
  readonly graph: AccessGraph;
  readonly keys: Pick<KeyStore, "roleHolderPages">;
  readonly roles: Pick<RoleStore, "assignmentPages">;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
}

export function roleHolderRoutes(context: Context): Handlers<"listRoleHolders"> {
  return {
    listRoleHolders: async ({ query: { role_id, ...page } }) => {
      if (role_id !== undefined && !context.graph.findRole(role_id))
        throw notFound("role", role_id, "role_id");
      const assignments = context.roles.assignmentPages(role_id);
      const holders = mergeById<Entry>(assignments, context.keys.roleHolderPages(role_id));
      return paginateByNext(holders, page, (entry) => toRoleHolder(context, entry));
    },
  };
}

type Entry = { readonly id: string } & (RoleAssignment | { readonly key: AdminKeyRecord });

function toRoleHolder({ userCache, groupCache }: Context, entry: Entry): RoleHolder {
  if ("key" in entry) {
    const { id, name, roleId } = entry.key;
    return describe(entry.id, roleId, { type: "admin_key", id, name }, null);
  }
  const { kind: type, id } = entry.principal;
  // A holder may have been deleted since the page was read.
  const name = (type === "user" ? userCache : groupCache).find(id)?.name ?? id;
  return describe(entry.id, entry.roleId, { type, id, name }, entry.projectId);
}

function describe(
  id: string,
  role_id: string,
  holder: RoleHolder["holder"],
  project_id: string | null,
): RoleHolder {
  return { object: "role.holder", id, role_id, holder, project_id };
}

export function permissionRoutes(
  context: ExplanationContext & HolderContext,
): Handlers<"explainPermission" | "listPermissionHolders"> {
  return {
    listPermissionHolders: async ({ params: { permission }, query: { project_id: projectId, ...page } }) => {
      if (!isPermission(permission)) throw notFound("permission", permission, "permission");
      if (projectId !== undefined) await findProject(context.projects, projectId);
      const holders = listPermissionHolders(context, { permission, projectId });
      return paginateByNext(listInMemory(holders), page, ({ role, projectId: heldIn, ...holder }) => ({
        object: "permission.holder",
        ...holder,
        role: toRoleReference(role),
        project_id: heldIn,
      }));
    },
    explainPermission: async ({
      query: { permission, user_id: userId, key_id: keyId, project_id = null },
    }) => {
      const question = { permission, projectId: project_id, userId, keyId };
      const { principal, paths, smallestRole } = await explainAccess(context, question);
      return {
        object: "permission.explanation",
        permission,
        sentence: permissionCatalogue[permission],
        principal,
        project_id,
        granted: paths.length > 0,
        paths: paths.map(({ role, heldBy, projectId }) => ({
          role: toRoleReference(role),
          held_by: heldBy,
          project_id: projectId,
        })),
        least_role: smallestRole && {
          role: toRoleReference(smallestRole.role),
          project_id: smallestRole.projectId,
          also_grants: [...smallestRole.alsoGrants],
        },
      };
    },
  };
}

function toRoleReference({ id, name }: Role) {
  return { id, name };
}
