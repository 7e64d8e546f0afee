import { isPermission, permissionCatalogue } from "@/lib/contract/access/permissions";
import { type ExplanationContext, explainAccess } from "../../access/explain-access";
import { type HolderContext, listPermissionHolders } from "../../access-reviews/permission-holders";
import { listInMemory } from "../../lists/paged-list";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { Role } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";

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
