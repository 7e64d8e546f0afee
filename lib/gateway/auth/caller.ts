import type { Permission } from "@/lib/contract/permissions";
import type { Holder } from "../roles/access-graph";

/** Who makes a request, and what it may do. */
export interface Caller {
  readonly kind: "project_key" | "admin_key" | "session";
  /** `key_…`, or `sess_…` for a session. */
  readonly id: string;
  /** What usage is booked under: the key; for a session, the admin key or the member it was opened for. */
  readonly keyId: string;
  /** Whose roles count. */
  readonly holder: Holder;
  readonly name: string;
  /** A project key's project; null for callers of the whole organization. */
  readonly projectId: string | null;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  /** Held in the whole organization; a project key's, in its project. */
  readonly permissions: ReadonlySet<Permission>;
  /** Those in a project are the organization's and the project's together; null asks for the organization's alone. */
  permissionsIn(projectId: string | null): ReadonlySet<Permission>;
  /** Whether a permission is held in the organization or in at least one project. */
  holdsAnywhere(permission: Permission): boolean;
  readonly expiresAtMs: number | null;
}
