import type { Permission } from "@/lib/contract/permissions";
import type { Holder } from "./access-graph";

/** Who makes a change, with their present rights. */
export interface Actor {
  readonly holder: Holder;
  permissionsIn(projectId: string | null): ReadonlySet<Permission>;
}

/** The member or admin key that a session speaks for, or that made an invitation or a link. */
export interface ActorRef {
  readonly kind: "admin_key" | "user";
  readonly id: string;
}
