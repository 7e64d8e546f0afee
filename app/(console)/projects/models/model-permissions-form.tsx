"use client";

import { useWatch } from "react-hook-form";
import { saveProjectModels } from "@/app/(console)/projects/actions";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { CheckboxGroup } from "@/components/ui/fields/checkbox-group";
import type { CheckboxOptionGroup } from "@/components/ui/fields/choose-options";
import { SelectField } from "@/components/ui/fields/select-field";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { SaveFooter } from "@/components/ui/form/save-footer";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { ProjectModelPermissions } from "./project-model-permissions";

const schema = lateSchema<Pick<ProjectModelPermissions, "mode" | "model_ids">>(() =>
  import("./model-form-schemas").then((file) => file.permissionsForm),
);
const labels = { mode: "This project can call", model_ids: "Models" };

const modes = [
  { value: "all", label: "Every model" },
  { value: "allow_list", label: "Only the models ticked" },
  { value: "deny_list", label: "Every model but those ticked" },
] as const;

type ModelPermissionsFormProps = {
  project: Project;
  permissions: ProjectModelPermissions;
  groups: readonly CheckboxOptionGroup[];
  canWrite: boolean;
};

export function ModelPermissionsForm({ project, permissions, groups, canWrite }: ModelPermissionsFormProps) {
  const form = useLateEditForm(schema, toFormValues(permissions));
  const saving = useSaveChanges(form, {
    saved: permissions,
    action: saveProjectModels,
    refetch: ["retrieveModelPermissions"],
    names: ["mode", "model_ids"],
    toInput: (change, against) => {
      const { mode, model_ids: modelIds } = { ...toFormValues(against), ...change };
      return { projectId: project.id, mode, modelIds, version: against.version };
    },
    toValues: toFormValues,
  });
  const mode = useWatch({ control: form.control, name: "mode" });
  return (
    <Form
      form={form}
      name="model-permissions"
      what={`the models of ${project.name}`}
      isEdit
      labels={labels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      <SelectField
        control={form.control}
        name="mode"
        label={labels.mode}
        apiName="mode"
        options={modes}
        disabled={!canWrite}
        help={
          mode === "deny_list"
            ? "A model that is added later may be called too."
            : mode === "allow_list" && "A model that is added later may not be called until it is ticked."
        }
      />
      {mode !== "all" && (
        <CheckboxGroup
          control={form.control}
          name="model_ids"
          label={labels.model_ids}
          apiName="model_ids"
          groups={groups}
          noun="models"
          disabled={!canWrite}
        />
      )}
      <SaveFooter
        saving={saving}
        labels={labels}
        nothing="None ticked"
        choices={{ mode: modes }}
        canWrite={canWrite}
      />
    </Form>
  );
}

function toFormValues({ mode, model_ids }: ProjectModelPermissions) {
  return { mode, model_ids };
}
