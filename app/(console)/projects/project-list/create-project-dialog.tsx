"use client";

import { useRouter } from "next/navigation";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { paths } from "@/lib/console/paths";
import { projectDraft } from "@/lib/contract/operations/projects/projects";
import { createProject } from "../actions";

export function CreateProjectDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useNewForm(projectDraft, { name: "" });
  const create = useCreate(createProject, {
    refetch: ["listProjects", "listProjectSummaries"],
    onSuccess: ({ id, name }) => {
      toast({
        message: `Project “${name}” created`,
        action: {
          label: "Open it",
          onAct: () => confirmLeave(() => router.push(paths.project(id))),
        },
      });
      // The shell also lists the projects.
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-project"
      what="the new project"
      labels={{ name: "Name" }}
      onSubmit={(draft) => create.mutate(draft)}
      title="Create project"
      description="Its rate limits start at each model’s defaults. Create its keys next."
      submit="Create project"
      pending={create.isPending}
      close={close}
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        apiName="name"
        maxLength={100}
        help="What people know it by, such as “checkout”."
      />
    </FormDialog>
  );
}
