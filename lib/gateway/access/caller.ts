import type { Permission } from "@/lib/contract/permissions";
import type { KeyScope } from "../keys/key-store";
import type { Holder } from "../roles/access-graph";

/** Who makes a request, and what it may do. */
export interface Caller {
  readonly kind: "project_key" | "admin_key" | "session";
  /** `key_…`, or `sess_…` for a session. */
  readonly id: string;
  /** The id that usage is recorded under: a key's own id, or for a session the id of its admin key or member. */
  readonly keyId: string;
  /** The holder of the roles. */
  readonly holder: Holder;
  readonly name: string;
  /** A project key's project; null for callers of the whole organization. */
  readonly projectId: string | null;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  /** Held in the whole organization; a project key's, in its project. */
  readonly permissions: ReadonlySet<Permission>;
  /** In a project: the permissions held in the organization and in the project. Null: those held in the organization. */
  permissionsIn(projectId: string | null): ReadonlySet<Permission>;
  /** Whether a permission is held in the organization or in at least one project. */
  holdsAnywhere(permission: Permission): boolean;
  readonly expiresAtMs: number | null;
  /** What a project's key is limited to; absent for all other callers. */
  readonly scope?: KeyScope;
}
