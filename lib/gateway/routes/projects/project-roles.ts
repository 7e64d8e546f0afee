import { listInMemory } from "../../lists/paged-list";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { previewRole } from "../../roles/preview-role";
import { changeRole, createRole, deleteRole, findRole, listRoles } from "../../roles/roles";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";
import { describeRolePreview, type RoleRoutesContext, toRole } from "../people/roles";

type Ids =
  | "listProjectRoles"
  | "createProjectRole"
  | "retrieveProjectRole"
  | "changeProjectRole"
  | "deleteProjectRole"
  | "previewProjectRole";

export function projectRoleRoutes(context: RoleRoutesContext & { projects: ProjectStore }): Handlers<Ids> {
  const { projects, graph } = context;
  return {
    listProjectRoles: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginateByNext(listInMemory(listRoles(graph, id)), query, toRole);
    },
    retrieveProjectRole: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toRole(findRole(graph, params.role_id, id));
    },
    createProjectRole: async ({ params: { project_id }, body, caller, request }) =>
      toRole(await createRole(context, request, caller, project_id, body)),
    changeProjectRole: async ({ params: { project_id, role_id }, body, caller, request }) =>
      toRole(await changeRole(context, request, caller, { scope: project_id, id: role_id }, body)),
    deleteProjectRole: async ({ params: { project_id, role_id: id }, caller, request }) => {
      await deleteRole(context, request, caller, { scope: project_id, id });
      return { object: "role.deleted", id, deleted: true };
    },
    previewProjectRole: async ({ params, body, caller }) => {
      const { id } = await findProject(projects, params.project_id);
      return describeRolePreview(
        context,
        caller,
        previewRole(graph, caller, { scope: id, id: params.role_id }, body),
      );
    },
  };
}
