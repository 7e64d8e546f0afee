"use client";

import { groupModels } from "@/components/models/group-models";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import type { ProjectPartProps } from "../project-part-props";
import { ModelPermissionsForm } from "./model-permissions-form";
import { everyModel } from "./project-model-permissions";

/** Which models a project's calls can use. */
export function ModelPermissionsSection({ project, may }: ProjectPartProps) {
  const read = useRead("retrieveModelPermissions", { project_id: project.id });
  const models = useRead(...wholeList("listOrganizationModels"));
  const isFree = read.error?.problem.code === "not_found";
  const known = models.data?.data ?? [];
  return (
    <Section
      title="Models it may call"
      description="Calls to any other model are refused, whichever key makes them. Changes apply from the next call."
      actions={<HistoryLink id={project.id} projectId={project.id} />}
    >
      <ReadState
        read={isFree ? { ...read, data: everyModel, error: null } : read}
        to="show the models it may call"
        skeleton={<FormSkeleton fields={2} />}
      >
        {(permissions) => (
          <ModelPermissionsForm
            project={project}
            permissions={permissions}
            groups={groupModels(known, permissions.model_ids)}
            canWrite={may("api.model_permissions.write")}
          />
        )}
      </ReadState>
    </Section>
  );
}
