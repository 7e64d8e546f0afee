"use client";

import { useEffect, useState } from "react";
import { buildPromptContent } from "@/app/(console)/playground/conversations/prompt-content";
import type { Workbench } from "@/components/playground/workbench";
import { promptPageReads } from "@/components/prompts/prompt-reads";
import { useRead } from "@/components/queries/reads/use-read";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";

export interface OpenPrompt {
  readonly prompt: Prompt;
  /** True if no pane has the call of its newest version. */
  readonly isEdited: boolean;
}

/** Comparing takes long for long conversations, so it waits for a pause in typing and in streams. */
const COMPARE_AFTER_MS = 250;

/** Reads the prompt that the workbench was opened from or saved as; null if there is none or it can't be read. */
export function useOpenPrompt(
  workbench: Workbench,
  projectId: string | null,
  { canRead }: { canRead: boolean },
): OpenPrompt | null {
  const { promptId } = workbench;
  const isOpen = canRead && projectId !== null && promptId !== undefined;
  const found = useRead(...promptPageReads(projectId ?? "", promptId ?? "").prompt, { enabled: isOpen }).data;
  const prompt = isOpen ? found : undefined;
  const [isEdited, setIsEdited] = useState(false);
  useEffect(() => {
    if (!prompt) return;
    let isCurrent = true;
    const compare = async () => {
      const isNew = await isEditedSince(workbench, prompt).catch(() => null);
      if (isCurrent && isNew !== null) setIsEdited(isNew);
    };
    const timer = setTimeout(() => void compare(), COMPARE_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [workbench, prompt]);
  return prompt ? { prompt, isEdited } : null;
}

/** Returns whether no pane has the call that the newest version of a prompt contains. */
async function isEditedSince(workbench: Workbench, { content }: Pick<Prompt, "content">): Promise<boolean> {
  const { createWorkbenchFromCall } = await import(
    "@/components/playground/panes/create-workbench-from-call"
  );
  // The saved call is read and written as the workbench does it, so that only what a person changes counts.
  const opened = createWorkbenchFromCall(JSON.stringify({ model: "any", ...content.body }), content.endpoint);
  const saved = opened ? listCalls(opened)[0] : undefined;
  return saved !== undefined && !listCalls(workbench).includes(saved);
}

function listCalls(workbench: Workbench): string[] {
  return workbench.panes.map((pane) => JSON.stringify(buildPromptContent(workbench, pane)));
}
