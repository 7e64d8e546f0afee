import type { KeyAction, KeyChanges } from "@/lib/contract/operations/keys/key-changes";
import { type ChangeRequest, change, withEventOfEach } from "../changes/change";
import { catchRefusal, conflict, type Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import { isExpired } from "./key-cache";
import type { KeyScope, ProjectKeyRecord, WithLastUse } from "./key-records";
import { changeScope, findProjectKey, type KeyContext, refuseStrongerKey } from "./project-keys";

type Key = WithLastUse<ProjectKeyRecord>;

/** What a change does to one key. */
export interface PlannedKey {
  readonly before: Key;
  /** Null once it is revoked. */
  readonly after: Key | null;
  readonly isChanged: boolean;
}

interface PlannedKeys {
  readonly keys: readonly PlannedKey[];
  /** Why the actor may not make the change, and because of which key; null if they may. */
  readonly refusal: { readonly error: Refusal; readonly keyId: string } | null;
}

/**
 * Does one thing to many keys of a project: all or none.
 * @throws Refusal 400 for an unknown model; 403 for a key with more permissions than the actor; 404; 409 for one that
 * has expired.
 */
export function changeProjectKeys(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  projectId: string,
  changes: KeyChanges,
): Promise<readonly PlannedKey[]> {
  const { keys, runtime } = context;
  const type = changes.action.type === "revoke" ? "api_key.deleted" : "api_key.updated";
  const requested = withEventOfEach({ object: "project_api_keys", type }, request);
  return change(context, requested, async (transaction) => {
    const planned = await planKeyChanges(context, actor, projectId, changes);
    if (planned.refusal) throw planned.refusal.error;
    for (const { before, after, isChanged } of planned.keys) {
      if (after === null) await keys.revokeProjectKey(transaction, before.id, runtime.clock.nowMs());
      else if (isChanged) await keys.updateProjectKey(transaction, after);
    }
    if (planned.keys.some(({ isChanged }) => isChanged)) await keys.noteManyChanged(transaction, projectId);
    return planned.keys;
  });
}

/** What `changeProjectKeys` would do. @throws Refusal as it does for what is unknown. */
export async function planKeyChanges(
  context: KeyContext,
  actor: Actor,
  projectId: string,
  { key_ids, action }: KeyChanges,
): Promise<PlannedKeys> {
  const keys: Key[] = [];
  for (const id of new Set(key_ids))
    keys.push(
      await findProjectKey(context.keys, { projectId, id }, (key) =>
        refuseStrongerKey(context.graph, actor, key),
      ),
    );
  const nowMs = context.runtime.clock.nowMs();
  let refusal: PlannedKeys["refusal"] = null;
  for (const key of keys) {
    const error = catchRefusal(() => refuseExpired(key, action, nowMs));
    if (error) refusal ??= { error, keyId: key.id };
  }
  return { keys: keys.map((key) => planKey(context, key, action, nowMs)), refusal };
}

/** An expired key may be revoked, and nothing else. */
function refuseExpired(key: Key, { type }: KeyAction, nowMs: number): void {
  if (type === "revoke" || !isExpired(key, nowMs)) return;
  const message = `The key "${key.name}" has expired and can't be changed. Leave it out, or revoke it.`;
  throw conflict("key_ids", message, "key_expired");
}

function planKey({ catalogue }: KeyContext, before: Key, action: KeyAction, nowMs: number): PlannedKey {
  if (action.type === "revoke") return { before, after: null, isChanged: true };
  if (action.type === "expire") {
    const expiresAtMs = nowMs + action.expires_in_seconds * 1_000;
    return { before, after: { ...before, expiresAtMs }, isChanged: true };
  }
  const scope = changeScope(before.scope, action, catalogue, "action.models");
  return { before, after: { ...before, scope }, isChanged: !isSameScope(before.scope, scope) };
}

function isSameScope(one: KeyScope, other: KeyScope): boolean {
  const isSame = (some: readonly string[] | null, others: readonly string[] | null) =>
    some === null || others === null
      ? some === others
      : some.length === others.length && some.every((name) => others.includes(name));
  return isSame(one.models, other.models) && isSame(one.endpoints, other.endpoints);
}
