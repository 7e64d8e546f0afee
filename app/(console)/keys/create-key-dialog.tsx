"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { Form } from "@/components/form/form";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/cancel-button";
import { Dialog } from "@/components/ui/dialog";
import { type ProjectApiKeyDraft, projectApiKeyDraft } from "@/lib/contract/operations/project-api-keys";
import { createKey } from "./actions";
import { CreatedKey } from "./created-key";

type CreateKeyDialogProps = { projectId: string; baseUrl: string; close: () => void };

/** Asks for a name, then shows the key: the only time it can be seen. */
export function CreateKeyDialog({ projectId, baseUrl, close }: CreateKeyDialogProps) {
  const form = useForm<ProjectApiKeyDraft>({
    mode: "onTouched",
    resolver: standardSchemaResolver(projectApiKeyDraft),
    defaultValues: { name: "" },
  });
  const create = useCreate(createKey, {
    changes: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  if (create.data) return <CreatedKey created={create.data} baseUrl={baseUrl} close={close} />;
  return (
    <Dialog
      open
      onClose={close}
      title="Create key"
      description="The key is shown once, after this. Only its hash is kept."
    >
      <Form
        form={form}
        name="new-key"
        what="the new key"
        labels={{ name: "Name" }}
        className="grid gap-5"
        onSubmit={({ name }) => create.mutate({ projectId, name })}
      >
        <TextField
          control={form.control}
          name="name"
          label="Name"
          apiName="name"
          maxLength={100}
          help="The program that will use it, such as “nightly reports”."
        />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="primary" pending={create.isPending}>
            Create key
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
