import { ProjectRoleScreen } from "@/app/(console)/roles/project-roles/project-role-screen";
import { OneProjectPage } from "@/components/object-page/project-list-page";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { wholeList } from "@/components/queries/reads/whole-list";

export const metadata = { title: "Roles" };

export default function ProjectRolesPage({ params }: { params: Promise<{ id: string }> }) {
  return (
    <OneProjectPage
      params={params}
      title="Roles"
      sentence="What members and groups may do in one project."
      to="list the roles"
      instead="It has no operation for them."
      without="A role of a project can be held in that project only."
      permission="api.roles.read"
    >
      {({ project, session: { heldHere } }) => (
        <Prefetched reads={[wholeList("listProjectRoles", { project_id: project.id })]}>
          <ProjectRoleScreen key={project.id} project={project} heldHere={heldHere} />
        </Prefetched>
      )}
    </OneProjectPage>
  );
}
