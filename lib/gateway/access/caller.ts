import type { Permission } from "@/lib/contract/access/permissions";
import type { KeyCreator, KeyScope } from "../keys/key-records";
import type { Holder } from "../roles/access-graph";
import type { ActorRef } from "../roles/actor";

/** Who makes a request: a key or a session, with its present permissions. */
export interface Caller {
  readonly kind: "project_key" | "admin_key" | "session";
  /** `key_…`, or `sess_…` for a session. */
  readonly id: string;
  /** The id that usage is recorded under: a key's own id or, for a session, the id of its admin key or member. */
  readonly keyId: string;
  /** Whose roles count: a member's own, or a key's one role. */
  readonly holder: Holder;
  readonly name: string;
  /** A project key's project; null for callers of the whole organization. */
  readonly projectId: string | null;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  /** The permissions held in the organization; for a project key, those held in its project. */
  readonly permissions: ReadonlySet<Permission>;
  /** The permissions held in a project, including the organization's; with null, those held in the organization. */
  permissionsIn(projectId: string | null): ReadonlySet<Permission>;
  /** Whether a permission is held in the organization or in at least one project. */
  holdsAnywhere(permission: Permission): boolean;
  readonly expiresAtMs: number | null;
  /** Set while somebody looks at the console as a role: nothing can be changed then. */
  readonly isReadOnly?: true;
  /** The scope that limits a project's key; absent for all other callers. */
  readonly scope?: KeyScope;
  /** The projects that a reply has listed since its beginning, and lists to its end; absent for all other replies. */
  readonly onlyIn?: readonly string[];
}

/** The member or admin key that a caller acts for. */
export function toActorRef({ holder, keyId }: Caller): ActorRef {
  return holder.kind === "user" ? { kind: "user", id: holder.id } : { kind: "admin_key", id: keyId };
}

/** The member or key that a caller's changes are recorded under, with its present name. */
export function toKeyCreator({ kind, holder, keyId, name }: Caller): KeyCreator {
  if (holder.kind === "user") return { kind: "user", id: holder.id, name };
  return { kind: kind === "project_key" ? "project_api_key" : "admin_api_key", id: keyId, name };
}
