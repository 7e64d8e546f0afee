import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { newId } from "@/lib/contract/ids";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import { findRole } from "../roles/roles";
import { hashSecret } from "../secrets/hash-secret";
import type { AdminKeyRecord, KeyStore } from "./key-store";

export interface AdminKeyContext extends ChangeContext {
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly effects: Effects;
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
 * @throws Refusal 404 for an unknown role; 403 for a role with more permissions than the actor.
 */
export function createAdminKey(
  context: AdminKeyContext,
  request: ChangeRequest,
  actor: Actor,
  draft: AdminKeyDraft,
): Promise<CreatedAdminKey> {
  return change(context, request, async (transaction) => {
    refuseLackedPermission(actor, findRole(context.graph, draft.roleId, null, "role").permissions, null);
    const key = newAdminKey(context.effects, draft);
    await context.keys.insertAdminKey(transaction, key.key);
    return key;
  });
}

/** An admin key that is not stored yet. `token` is a well-formed key to use instead of a generated one. */
export function newAdminKey(
  { clock, random }: Effects,
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
