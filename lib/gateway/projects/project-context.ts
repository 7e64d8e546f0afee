import type { ChangeContext } from "../changes/change";
import type { Effects } from "../effects";
import type { ProjectStore } from "./project-store";

/** The dependencies of the verbs on projects. */
export interface ProjectContext extends ChangeContext {
  readonly projects: ProjectStore;
  readonly effects: Effects;
}
