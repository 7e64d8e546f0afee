"use client";

import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { SelectField } from "@/components/ui/fields/select-field";
import { Form } from "@/components/ui/form/form";
import { lateSchema } from "@/components/ui/form/late-schema";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { useLateEditForm } from "@/components/ui/form/use-late-form";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { changeProject } from "../actions";

const schema = lateSchema<Pick<Project, "hosted_tools">>(() =>
  import("./model-form-schemas").then((file) => file.rulesForm),
);
const labels = { hosted_tools: "Tools without a price" };
const rules = [
  { value: "leave_out", label: "Leave them out of the call" },
  { value: "refuse", label: "Refuse the call" },
] as const;

/** What becomes of calls with tools that a provider would run, such as its web search. */
export function HostedToolsForm({ project, canWrite }: { project: Project; canWrite: boolean }) {
  const form = useLateEditForm(schema, toFormValues(project));
  const saving = useSaveChanges(form, {
    saved: project,
    action: changeProject,
    refetch: ["retrieveProject", "listProjects"],
    names: ["hosted_tools"],
    toInput: ({ hosted_tools }, { version }) => ({ projectId: project.id, hosted_tools, version }),
    toValues: toFormValues,
  });
  return (
    <Form
      form={form}
      name="hosted-tools"
      what={`the tools of ${project.name}`}
      isEdit
      labels={labels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      <SelectField
        control={form.control}
        name="hosted_tools"
        label={labels.hosted_tools}
        apiName="hosted_tools"
        options={rules}
        disabled={!canWrite}
        help="The reply and the receipt name what was left out. A call that can’t work without such a tool is refused in any case."
      />
      <SaveFooter
        saving={saving}
        labels={labels}
        nothing="None"
        choices={{ hosted_tools: rules }}
        canWrite={canWrite}
      />
    </Form>
  );
}

function toFormValues({ hosted_tools }: Project) {
  return { hosted_tools };
}
