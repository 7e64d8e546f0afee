import type { Permission } from "@/lib/contract/permissions";

/** Who makes a request, and what it may do. */
export interface Caller {
  readonly kind: "project_key" | "admin_key" | "session";
  /** `key_…`, or `sess_…` for a session. */
  readonly id: string;
  /** The key behind the caller; for a session, the admin key it was opened with. */
  readonly keyId: string;
  readonly name: string;
  /** A project key's project; null for callers of the whole organization. */
  readonly projectId: string | null;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly permissions: ReadonlySet<Permission>;
  readonly expiresAtMs: number | null;
}
