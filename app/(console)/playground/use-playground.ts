"use client";

import { useRef, useState } from "react";
import { showProblem } from "@/app/queries/show-problem";
import { useKeptDraft, useKeptText } from "@/components/form/use-kept-draft";
import { useNewForm } from "@/components/form/use-schema-form";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { firstCallable } from "../callable-models";
import { readSettings, settingsSchema } from "./settings-draft";
import { useConversation } from "./use-conversation";
import { useFollow } from "./use-follow";

type PlaygroundOptions = {
  models: readonly OrganizationModel[] | null;
  askedModel: string | undefined;
  projectId: string | null;
};

const inAddress = ["model"];

/** Settings, conversation, and the message that is being written. */
export function usePlayground({ models, askedModel, projectId }: PlaygroundOptions) {
  const form = useNewForm(settingsSchema(models), {
    model: models ? chooseModel(models, askedModel) : (askedModel ?? ""),
    instruction: "",
    temperature: "",
    max_tokens: null,
  });
  const conversation = useConversation();
  const { turns, send, clear } = conversation;
  const [text, setText] = useKeptText("message");
  useKeptDraft(form, "settings", inAddress);
  const [isEditing, setIsEditing] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const following = useFollow();

  function write(prompt: string, asEdit = false) {
    setIsEditing(asEdit);
    setText(prompt);
    input.current?.focus();
  }
  function startAnew() {
    clear();
    write("");
  }
  const submit = (prompt: string, replacesLast: boolean) =>
    form.handleSubmit(async (draft) => {
      setIsEditing(false);
      setText("");
      following.follow();
      const before = replacesLast ? turns.slice(0, -1) : turns;
      const problem = await send(prompt, before, { ...readSettings(draft, models), projectId });
      if (!problem) return;
      // Nothing that was typed is lost, and nothing typed since is replaced.
      setText((since) => since || prompt);
      showProblem(form, ["model", "temperature", "max_tokens"], problem);
    })();

  /** Sends the message in the composer; after a refusal it takes the refused one's place. */
  const sendText = () => void submit(text, isEditing || turns.at(-1)?.answer.state === "refused");
  const retry = (prompt: string) => void submit(prompt, true);

  const draft = { text, setText, input, isEditing, write, sendText, retry, startAnew };
  return { form, ...conversation, ...draft, ...following };
}

/** The model the address asks for, if it answers prompts. */
function chooseModel(models: readonly OrganizationModel[], asked: string | undefined): string {
  return (models.find(({ id }) => id === asked) ?? firstCallable(models))?.id ?? "";
}
