import type { ChangeContext } from "../changes/change";
import type { Effects } from "../effects";
import type { ProjectStore } from "../projects/project-store";
import type { PromptRunStore } from "./prompt-run-store";
import type { PromptStore } from "./prompt-store";

export interface PromptContext extends ChangeContext {
  readonly prompts: PromptStore;
  readonly promptRuns: PromptRunStore;
  readonly projects: ProjectStore;
  readonly organization: { readonly currency: string };
  readonly effects: Effects;
}
