"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { listVariables } from "@/components/playground/variables/prompt-text";
import { createPrompt, createPromptVersion } from "@/components/prompts/actions";
import { promptListRead } from "@/components/prompts/prompt-reads";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import type { ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import type { ReadId } from "@/lib/console/reads/reads";
import type { PromptContent, PromptHead } from "@/lib/contract/operations/playground/prompts";
import { displayName } from "@/lib/contract/schema";

const refetch: ReadId[] = ["listPrompts", "retrievePrompt", "listPromptVersions"];
const NEW = "new";
const savePromptSchema = z.strictObject({ as: z.string(), name: z.string() }).check(
  z.refine(({ as, name }) => as !== NEW || displayName.safeParse(name).success, {
    message: "Enter a name.",
    path: ["name"],
  }),
);

type SavePromptDialogProps = {
  content: PromptContent;
  projectId: string;
  /** The prompt that the workbench was opened from. */
  promptId: string | undefined;
  /** Receives the id of the saved prompt. */
  saved: (promptId: string) => void;
  close: () => void;
};

/** Saves a pane's call as a new prompt or as a new version of one. */
export function SavePromptDialog(props: SavePromptDialogProps) {
  const prompts = useRead(...promptListRead(props.projectId));
  // Wait for a fresh list before the form mounts with the opened prompt selected. Refetches don't remount it.
  const [isKnown, setIsKnown] = useState(false);
  if (!isKnown && !prompts.isFetching) setIsKnown(true);
  if (!isKnown) return null;
  return <SaveForm {...props} prompts={prompts.data?.data ?? []} />;
}

type SaveFormProps = SavePromptDialogProps & { prompts: readonly PromptHead[] };

function SaveForm({ content, projectId, promptId, prompts, saved, close }: SaveFormProps) {
  const router = useRouter();
  const opened = prompts.find(({ id }) => id === promptId);
  const form = useNewForm(savePromptSchema, { as: opened?.id ?? NEW, name: "" });
  const as = useWatch({ control: form.control, name: "as" });
  const tell = (id: string, message: string) => {
    saved(id);
    const view = () => router.push(paths.prompt(projectId, id));
    toast({ message, action: { label: "View prompt", onAct: view } });
    close();
  };
  const onError = ({ problem }: ProblemError) => showProblem(form, ["name"], problem);
  const create = useCreate(createPrompt, {
    refetch,
    onError,
    onSuccess: ({ id, name }) => tell(id, `Prompt “${name}” saved`),
  });
  const addVersion = useCreate(createPromptVersion, {
    refetch,
    onError,
    onSuccess: ({ prompt_id, number }) => tell(prompt_id, `Version ${number} saved`),
  });
  const variables = listVariables(content);
  return (
    <FormDialog
      form={form}
      name="save-prompt"
      what="the prompt"
      labels={{ as: "Save as", name: "Name" }}
      title="Save prompt"
      description={
        variables.length > 0
          ? `System, messages and settings of this pane, without its last answer. Variables: ${variables.join(", ")}.`
          : "System, messages and settings of this pane, without its last answer. Write {{name}} in a text for what cases fill in."
      }
      submit={as === NEW ? "Save prompt" : "Save version"}
      pending={create.isPending || addVersion.isPending}
      close={close}
      onSubmit={({ as: target, name }) =>
        target === NEW
          ? create.mutate({ projectId, prompt: { name: name.trim(), content } })
          : addVersion.mutate({ projectId, promptId: target, content })
      }
    >
      <SelectField
        control={form.control}
        name="as"
        label="Save as"
        options={[
          { value: NEW, label: "A new prompt" },
          ...prompts.map(({ id, name, latest_version }) => ({
            value: id,
            label: `Version ${latest_version + 1} of “${name}”`,
          })),
        ]}
      />
      {as === NEW && (
        <TextField
          control={form.control}
          name="name"
          label="Name"
          apiName="name"
          maxLength={100}
          placeholder="Summarize a ticket"
          help="Only you can read it until you share it."
        />
      )}
    </FormDialog>
  );
}
