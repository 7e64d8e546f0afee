import type { ChangeContext } from "../changes/change";
import type { Effects } from "../effects";
import type { ProjectStore } from "./project-store";

/** What the verbs on projects need. */
export interface ProjectContext extends ChangeContext {
  readonly projects: ProjectStore;
  readonly effects: Effects;
}
