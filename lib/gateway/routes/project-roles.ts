import { listInMemory } from "../ports/paged-list";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import { changeRole } from "../roles/change-role";
import { createRole } from "../roles/create-role";
import { deleteRole } from "../roles/delete-role";
import { findRole, listRoles } from "../roles/find-role";
import { previewRole } from "../roles/preview-role";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";
import { type RoleRoutesContext, toPreview, toRole } from "./roles";

type Ids =
  | "listProjectRoles"
  | "createProjectRole"
  | "retrieveProjectRole"
  | "changeProjectRole"
  | "deleteProjectRole"
  | "previewProjectRole";

export function projectRoleRoutes(context: RoleRoutesContext & { projects: ProjectStore }): Handlers<Ids> {
  const { projects, graph, inTurn } = context;
  /** Changes one project's roles, while it is there and not archived. */
  const change = <Result>(projectId: string, work: () => Promise<Result>) =>
    inTurn(async () => {
      await findActiveProject(projects, projectId);
      return work();
    });
  return {
    listProjectRoles: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginateByNext(listInMemory(listRoles(graph, id)), query, toRole);
    },
    retrieveProjectRole: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toRole(findRole(graph, params.role_id, id));
    },
    createProjectRole: ({ params: { project_id }, body, caller }) =>
      change(project_id, async () => toRole(await createRole(context, caller, project_id, body))),
    changeProjectRole: ({ params: { project_id, role_id }, body, caller }) =>
      change(project_id, async () => toRole(await changeRole(context, caller, project_id, role_id, body))),
    deleteProjectRole: ({ params: { project_id, role_id: id }, caller }) =>
      change(project_id, async () => {
        await deleteRole(context, caller, project_id, id);
        return { object: "role.deleted" as const, id, deleted: true as const };
      }),
    previewProjectRole: async ({ params, body, caller }) => {
      const { id } = await findProject(projects, params.project_id);
      return toPreview(context, previewRole(graph, caller, id, params.role_id, body));
    },
  };
}
