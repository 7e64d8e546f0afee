"use client";

import { useRouter } from "next/navigation";
import * as z from "zod/mini";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { displayName } from "@/lib/contract/schema";
import { changeProject } from "./actions";

const projectName = z.strictObject({ name: displayName });

export function RenameProjectDialog({ project, close }: { project: Project; close: () => void }) {
  const router = useRouter();
  const form = useEditForm(projectName, toProjectName(project));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: project,
    action: changeProject,
    refetch: ["retrieveProject", "listProjects", "listProjectSummaries"],
    names: ["name"],
    toInput: ({ name = "" }, { version }) => ({ projectId: project.id, name, version }),
    toValues: toProjectName,
    onSaved: ({ name }) => {
      toast({ message: `Project renamed to “${name}”` });
      // The shell also lists the projects.
      router.refresh();
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name="rename-project"
      what={`the project “${project.name}”`}
      isEdit
      labels={{ name: "Name" }}
      title={`Rename the project “${project.name}”`}
      description="Its id, keys and limits stay as they are."
      submit="Rename project"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        apiName="name"
        maxLength={100}
        help="What people know it by, such as “checkout”."
      />
      {conflict && (
        <ConflictDialog {...conflict} labels={{ name: "Name of the project" }} nothing="No name" />
      )}
    </FormDialog>
  );
}

function toProjectName({ name }: Project) {
  return { name };
}
