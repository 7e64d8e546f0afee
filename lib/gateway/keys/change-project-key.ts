import type { ProjectApiKeyChange } from "@/lib/contract/operations/keys/project-api-keys";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import { conflict } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Actor } from "../roles/actor";
import { changeScope } from "./change-scope";
import { findProjectKey, type KeyPath, refuseStrongerKey } from "./find-project-key";
import { isExpired } from "./key-mirror";
import type { KeyStore, ProjectKeyRecord, WithLastUse } from "./key-store";

export interface KeyContext extends ChangeContext {
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly effects: Effects;
  readonly catalogue: { find(id: string): object | undefined };
}

/**
 * Changes a key's name or scope, or lets it expire in so many seconds.
 * @throws Refusal 400 for an unknown model, 404, 403 for a key with more permissions than the actor, 409 for one that
 * has expired.
 */
export function changeProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  keyPath: KeyPath,
  { name, expires_in_seconds: lifetimeSeconds, ...scoped }: ProjectApiKeyChange,
): Promise<WithLastUse<ProjectKeyRecord>> {
  return change(context, request, async (transaction) => {
    const keyBefore = await findProjectKey(context.keys, keyPath);
    refuseStrongerKey(context.graph, actor, keyBefore);
    const nowMs = context.effects.clock.nowMs();
    if (isExpired(keyBefore, nowMs)) {
      throw conflict("key_id", `The key "${keyBefore.name}" has expired. Create another one.`, "key_expired");
    }
    const expiresAtMs =
      lifetimeSeconds === undefined ? keyBefore.expiresAtMs : nowMs + lifetimeSeconds * 1000;
    const scope = changeScope(keyBefore.scope, scoped, context.catalogue);
    const key = { ...keyBefore, name: name ?? keyBefore.name, expiresAtMs, scope };
    await context.keys.updateProjectKey(transaction, key);
    return key;
  });
}
