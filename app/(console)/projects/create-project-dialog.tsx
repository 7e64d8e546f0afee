"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { Form } from "@/components/form/form";
import { TextField } from "@/components/form/text-field";
import { askToLeave } from "@/components/form/unsaved";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/cancel-button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { type ProjectDraft, projectDraft } from "@/lib/contract/operations/projects";
import { selectProject } from "../select-project";
import { createProject } from "./actions";

export function CreateProjectDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useForm<ProjectDraft>({
    mode: "onTouched",
    resolver: standardSchemaResolver(projectDraft),
    defaultValues: { name: "" },
  });
  const create = useCreate(createProject, {
    changes: ["listProjects"],
    onSuccess: ({ id, name }) => {
      toast({
        message: `Project “${name}” created`,
        action: { label: "Switch to it", onAct: () => askToLeave(() => void selectProject(id)) },
      });
      // The shell lists the projects too.
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  return (
    <Dialog
      open
      onClose={close}
      title="Create project"
      description="Its rate limits start at each model’s defaults; its keys are made next."
    >
      <Form
        form={form}
        name="new-project"
        what="the new project"
        labels={{ name: "Name" }}
        className="grid gap-5"
        onSubmit={(draft) => create.mutate(draft)}
      >
        <TextField
          control={form.control}
          name="name"
          label="Name"
          apiName="name"
          maxLength={100}
          help="What people know it by, such as “checkout”."
        />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="primary" pending={create.isPending}>
            Create project
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
