import { notFound } from "../refusal";
import type { PromptRecord, PromptStore } from "./prompt-store";

/** The project of a prompt, and the reader. */
export interface PromptReference {
  readonly projectId: string;
  readonly id: string;
  readonly readerId: string;
}

/** Finds the reader's own prompt or a shared one. @throws Refusal 404 for any other prompt, as if it didn't exist. */
export async function findPrompt(
  prompts: Pick<PromptStore, "find">,
  { projectId, id, readerId }: PromptReference,
): Promise<PromptRecord> {
  const prompt = await prompts.find(projectId, id);
  if (!prompt || (prompt.owner.id !== readerId && !prompt.isShared))
    throw notFound("prompt", id, "prompt_id");
  return prompt;
}
