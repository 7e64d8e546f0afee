"use client";

import * as z from "zod/mini";
import { renameConversation } from "@/components/playground/conversations/conversation-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { type ActionReply, createProblem } from "@/lib/console/gateway/problem";
import type { ConversationHead } from "@/lib/contract/operations/playground/conversations";
import { displayName } from "@/lib/contract/schema";
import type { AutosavedWorkbench } from "./use-autosave";

const titleSchema = z.strictObject({ title: displayName });
type Titled = z.output<typeof titleSchema>;

const notSaved: ActionReply<never> = {
  ok: false,
  ...createProblem("failed", "The conversation could not be saved. The page behind this dialog says why."),
};

const deleted: ActionReply<never> = {
  ok: false,
  ...createProblem("not_found", "This conversation was deleted."),
};

type RenameDialogProps = { head: ConversationHead; saved: AutosavedWorkbench; close: () => void };

/** Renames one of the person's conversations. */
export function RenameDialog({ head, saved: { conversation, autosave }, close }: RenameDialogProps) {
  const form = useNewForm(titleSchema, { title: head.title });
  const save = async ({ title }: Titled): Promise<ActionReply<unknown>> => {
    // The open conversation is saved together with its current content.
    if (head.id !== conversation.id) return renameConversation({ id: head.id, title });
    if (await autosave.rename(title)) return { ok: true, data: null };
    const { state } = autosave.conversation;
    return state.kind === "stale" && state.isDeleted ? deleted : notSaved;
  };
  const rename = useAction(save, {
    refetch: ["listOwnConversations"],
    onSuccess: close,
    onError: ({ problem }) => showProblem(form, ["title"], problem),
  });
  return (
    <FormDialog
      form={form}
      name={`rename-${head.id}`}
      what={`the conversation “${head.title}”`}
      isEdit
      labels={{ title: "Title" }}
      title={`Rename “${head.title}”`}
      submit="Save title"
      pending={rename.isPending}
      close={close}
      onSubmit={(draft) => rename.mutate(draft)}
    >
      <TextField control={form.control} name="title" label="Title" apiName="title" maxLength={100} />
    </FormDialog>
  );
}
