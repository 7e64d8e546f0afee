import { notFound } from "../refusal";
import type { PromptRecord, PromptStore } from "./prompt-store";

/** Where a prompt stands, and who asks for it. */
export interface PromptPlace {
  readonly projectId: string;
  readonly id: string;
  readonly readerId: string;
}

/** One's own prompt, or one that is shared. @throws Refusal 404 for all others, as if there were none. */
export async function findPrompt(
  prompts: Pick<PromptStore, "find">,
  { projectId, id, readerId }: PromptPlace,
): Promise<PromptRecord> {
  const found = await prompts.find(projectId, id);
  if (!found || (found.owner.id !== readerId && !found.isShared)) throw notFound("prompt", id, "prompt_id");
  return found;
}
