import type { Permission } from "@/lib/contract/access/permissions";
import type { Holder } from "./access-graph";

/** The maker of a change, with their present permissions. */
export interface Actor {
  readonly holder: Holder;
  permissionsIn(projectId: string | null): ReadonlySet<Permission>;
}

/** The member or admin key behind a session, an invitation or a link. */
export interface ActorRef {
  readonly kind: "admin_key" | "user";
  readonly id: string;
}
