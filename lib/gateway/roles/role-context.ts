import type { ChangeContext } from "../changes/change";
import type { Effects } from "../effects";
import type { AccessGraph } from "./access-graph";
import type { RoleStore } from "./role-store";

/** What the verbs on roles and their holders need. */
export interface RoleContext extends ChangeContext {
  readonly roles: RoleStore;
  readonly graph: AccessGraph;
  readonly effects: Effects;
}
