import { permissionCatalogue } from "@/lib/contract/access/permissions";
import { type ExplanationContext, explainAccess } from "../../access/explain-access";
import type { Role } from "../../roles/access-graph";
import type { Handlers } from "../handler";

export function permissionRoutes(context: ExplanationContext): Handlers<"explainPermission"> {
  return {
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
