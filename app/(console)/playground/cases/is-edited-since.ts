import { createWorkbenchFromCall } from "@/components/playground/panes/create-workbench-from-call";
import type { Workbench } from "@/components/playground/workbench";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { buildPromptContent } from "../conversations/prompt-content";

/** Returns whether no pane has the call that the newest version of a prompt contains. */
export function isEditedSince(workbench: Workbench, { content }: Pick<Prompt, "content">): boolean {
  // The saved call is read and written as the workbench does it, so that only what a person changes counts.
  const opened = createWorkbenchFromCall(JSON.stringify({ model: "any", ...content.body }), content.endpoint);
  const saved = opened ? listCalls(opened)[0] : undefined;
  return saved !== undefined && !listCalls(workbench).includes(saved);
}

function listCalls(workbench: Workbench): string[] {
  return workbench.panes.map((pane) => JSON.stringify(buildPromptContent(workbench, pane)));
}
