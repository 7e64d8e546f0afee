"use client";

import { ShieldCheck } from "lucide-react";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { Badge } from "@/components/ui/badge";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { Quantity } from "@/components/ui/values/quantity";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { ProjectPartProps } from "../project-part-props";
import { DeleteProjectRole } from "./delete-project-role";
import { ProjectRoleButton } from "./project-role-button";

const NewRoleDialog = loadOnClient(() => import("./new-project-role").then((file) => file.NewProjectRole));

/** The roles that can be held in a project: the predefined ones and its own. */
export function ProjectRoleSection(page: ProjectPartProps) {
  const { project, may } = page;
  const roles = useRead(...wholeList("listProjectRoles", { project_id: project.id }));
  const canWrite = may("api.roles.write");
  const dialog = useFormDialog("new-project-role", canWrite);
  return (
    <Section
      title="Roles"
      description="What members and groups may do in this project alone. Predefined ones are the same in every project."
      actions={canWrite && <CreateButton noun="role" variant="secondary" onClick={dialog.open} />}
    >
      <ReadState
        read={roles}
        to="list the project’s roles"
        skeleton={<TableSkeleton rows={3} columns={4} />}
        empty={
          <EmptyState icon={ShieldCheck} title="No roles yet">
            A role says what its holders may do in this project.
          </EmptyState>
        }
      >
        {({ data, has_more: hasMore }) => (
          <div>
            <SortedTable
              caption="Roles of the project"
              columns={[...columns, buildActionsColumn(page, canWrite)]}
              rows={data}
              rowId={({ id }) => id}
            />
            {hasMore && <FirstRowsNote shown={data.length} />}
          </div>
        )}
      </ReadState>
      {dialog.isOpen && <NewRoleDialog project={project} close={dialog.close} />}
    </Section>
  );
}

const columns: readonly Column<Role>[] = [
  {
    id: "name",
    header: "Name",
    width: "w-56",
    sortValue: ({ name }) => name,
    cell: ({ name, description, predefined_role: isPredefined }) => (
      <>
        <span className="inline-flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
          {name}
          {isPredefined && <Badge>predefined</Badge>}
        </span>
        <span className="block text-sm wrap-anywhere text-muted sm:hidden">{description}</span>
      </>
    ),
  },
  {
    id: "description",
    header: "Description",
    phone: "hidden",
    cell: ({ description }) => (
      <span className="wrap-anywhere text-muted">{description || "No description"}</span>
    ),
  },
  {
    id: "permissions",
    header: "Permissions",
    width: "w-32",
    numeric: true,
    sortValue: ({ permissions }) => permissions.length,
    cell: ({ permissions }) => <Quantity value={permissions.length} />,
  },
];

function buildActionsColumn(page: ProjectPartProps, canWrite: boolean): Column<Role> {
  return actionsColumn({
    width: "w-32",
    cell: (role) => {
      const isEditable = canWrite && !role.predefined_role;
      return (
        <>
          <ProjectRoleButton page={page} role={role} isEditable={isEditable} />
          {!role.predefined_role && (
            <HistoryLink id={role.id} projectId={page.project.id} rowName={role.name} />
          )}
          {isEditable && <DeleteProjectRole projectId={page.project.id} role={role} />}
        </>
      );
    },
  });
}
