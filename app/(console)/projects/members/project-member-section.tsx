"use client";

import { UserPlus, Users } from "lucide-react";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { findPeople } from "@/components/ui/search/find-people";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { ProjectPartProps } from "../project-part-props";
import { holderReads } from "../project-reads";
import { projectMemberColumns } from "./project-member-columns";
import { useProjectRoles } from "./use-project-roles";

const AddMemberDialog = loadOnClient(() =>
  import("./add-project-member").then((file) => file.AddProjectMember),
);

/** The members with a direct role in the project. */
export function ProjectMemberSection(page: ProjectPartProps) {
  const { project, may, held } = page;
  const read = holderReads.members(project.id);
  const members = useRead(...read);
  const further = useFurtherRows(read, members.data);
  const roles = useProjectRoles(project.id, may);
  const canWrite = may("api.project_users.write");
  const dialog = useFormDialog("add-project-member", canWrite);
  const addButton = canWrite && (
    <Button onClick={dialog.open}>
      <UserPlus aria-hidden />
      Add member
    </Button>
  );
  const seesMembers = holdsInOrganization(held, "api.users.read");
  return (
    <ListSection
      title="Members"
      description="Members with a role in this project. A role in the organization, or through a group, counts here too."
      read={members}
      to="list the project’s members"
      size={{ rows: 4, columns: 4 }}
      empty={{
        icon: Users,
        title: "No member with a role here",
        example: "For example, a colleague as Project owner, who manages its keys and limits.",
        children: "Members of the organization are given a role that counts in this project alone.",
      }}
      add={addButton}
      dialog={
        dialog.isOpen && (
          <AddMemberDialog
            project={project}
            roles={roles}
            held={held}
            seesMembers={seesMembers}
            close={dialog.close}
          />
        )
      }
    >
      {({ data }) => (
        <FilteredList
          caption="Members of the project"
          columns={projectMemberColumns(page, roles)}
          rows={data}
          rowId={({ id }) => id}
          rowHref={({ id }) => (seesMembers ? paths.member(id) : undefined)}
          noun="member"
          label="Search members"
          unfilteredUpTo={20}
          find={findPeople}
          none={(typed) => `No member with a role here has “${typed}” in their name or address.`}
          further={further}
        />
      )}
    </ListSection>
  );
}
