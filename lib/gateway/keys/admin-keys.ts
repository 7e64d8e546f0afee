import { directoryRole, ownerRole } from "@/lib/contract/access/predefined-roles";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { newId } from "@/lib/contract/ids";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { conflict, invalid, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import { findRole } from "../roles/roles";
import { hashSecret } from "../secrets/secret";
import type { AdminKeyRecord } from "./key-records";
import type { KeyStore } from "./key-store.sql";

export interface AdminKeyContext extends ChangeContext {
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
}

interface AdminKeyDraft {
  readonly name: string;
  readonly roleId: string;
  /** Null for a key that does not expire. */
  readonly lifetimeSeconds: number | null;
}

interface CreatedAdminKey {
  readonly key: AdminKeyRecord;
  /** The whole key, which is not stored. */
  readonly value: string;
}

/**
 * Creates an admin key with a role.
 * @throws Refusal 404 for an unknown role; 403 for a role with more permissions than the actor; 400 for a directory's
 * token that does not expire.
 */
export function createAdminKey(
  context: AdminKeyContext,
  request: ChangeRequest,
  actor: Actor,
  draft: AdminKeyDraft,
): Promise<CreatedAdminKey> {
  if (draft.roleId === directoryRole.id && draft.lifetimeSeconds === null) {
    const message = "A directory's token expires: say in how many seconds.";
    throw invalid("expires_in_seconds", message, "missing_field");
  }
  return change(context, request, async (transaction) => {
    refuseLackedPermission(actor, findRole(context.graph, draft.roleId, null, "role").permissions, null);
    const key = newAdminKey(context.runtime, draft);
    await context.keys.insertAdminKey(transaction, key.key);
    return key;
  });
}

/** An admin key that is not stored yet. `token` is a well-formed key to use instead of a generated one. */
export function newAdminKey(
  { clock, random }: ClockAndRandom,
  { name, roleId, lifetimeSeconds }: AdminKeyDraft,
  token: string | null = null,
): CreatedAdminKey {
  const value = token ?? newSecretKey("gk_admin_", random);
  const createdAtMs = clock.nowMs();
  const key = {
    id: newId("key", createdAtMs, random),
    name,
    roleId,
    hash: hashSecret(value),
    lastFour: value.slice(-4),
    createdAtMs,
    expiresAtMs: lifetimeSeconds === null ? null : createdAtMs + lifetimeSeconds * 1000,
  };
  return { key, value };
}

/**
 * Revokes an admin key with its sessions and sign-in links, with immediate effect.
 * @throws Refusal 404; 403 for a key with more permissions than the actor; 409 for the last Owner key that does not
 * expire, since nobody could grant Owner again without it.
 */
export function deleteAdminKey(
  context: AdminKeyContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { keys, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    const key = await keys.findAdminKey(id);
    if (!key) throw notFound("admin key", id, "key_id");
    refuseLackedPermission(actor, graph.findRole(key.roleId)?.permissions ?? [], null);
    if (isLastingOwner(key)) await refuseLastOwner(keys, key);
    await keys.revokeAdminKey(transaction, id, runtime.clock.nowMs());
  });
}

async function refuseLastOwner(keys: KeyStore, { id, name }: AdminKeyRecord): Promise<void> {
  const otherOwnerKeys = (await keys.adminKeysWith(ownerRole.id)).filter((other) => other.id !== id);
  if (otherOwnerKeys.some(isLastingOwner)) return;
  const message = `"${name}" is the last key that holds Owner and doesn't expire. Create another one first.`;
  throw conflict("key_id", message, "last_owner");
}

function isLastingOwner({ roleId, expiresAtMs }: AdminKeyRecord): boolean {
  return roleId === ownerRole.id && expiresAtMs === null;
}

/**
 * Records in memory when each admin key was last used, so that no call waits for a write. `keep` stores it every half
 * minute and when the gateway closes.
 */
export class AdminKeyUses {
  readonly #unkept = new Map<string, number>();

  constructor(
    private readonly keys: Pick<KeyStore, "noteAdminKeyUse">,
    private readonly context: ChangeContext,
  ) {}

  note(id: string, nowMs: number): void {
    this.#unkept.set(id, nowMs);
  }

  lastUsedAtMs({ id, lastUsedAtMs }: { readonly id: string; readonly lastUsedAtMs: number | null }) {
    return this.#unkept.get(id) ?? lastUsedAtMs;
  }

  /** Stores what was recorded. @throws Error of the store; what was not stored stays recorded. */
  async keep(): Promise<void> {
    const noted = [...this.#unkept];
    if (noted.length === 0) return;
    await systemChange(this.context, "key uses", async (transaction) => {
      for (const [id, atMs] of noted) await this.keys.noteAdminKeyUse(transaction, id, atMs);
    });
    for (const [id, atMs] of noted) if (this.#unkept.get(id) === atMs) this.#unkept.delete(id);
  }
}
