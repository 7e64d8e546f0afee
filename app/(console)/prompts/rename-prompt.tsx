"use client";

import * as z from "zod/mini";
import { changePrompt } from "@/components/prompts/actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { displayName } from "@/lib/contract/schema";

const nameSchema = z.strictObject({ name: displayName });

export function RenamePrompt({ prompt, close }: { prompt: Prompt; close: () => void }) {
  const form = useNewForm(nameSchema, { name: prompt.name });
  const rename = useAction(changePrompt, {
    refetch: ["retrievePrompt", "listPrompts"],
    onSuccess: close,
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  return (
    <FormDialog
      form={form}
      name="rename-prompt"
      what={`the prompt “${prompt.name}”`}
      isEdit
      labels={{ name: "Name" }}
      title={`Rename “${prompt.name}”`}
      submit="Save name"
      pending={rename.isPending}
      close={close}
      onSubmit={(change) =>
        rename.mutate({
          projectId: prompt.project_id,
          promptId: prompt.id,
          change,
          version: prompt.version,
        })
      }
    >
      <TextField control={form.control} name="name" label="Name" apiName="name" maxLength={100} />
    </FormDialog>
  );
}
