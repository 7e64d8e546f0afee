import { toProjectRoleId } from "@/lib/contract/access/role-words";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { newId } from "@/lib/contract/ids";
import type { KeyAction, KeyChanges } from "@/lib/contract/operations/keys/key-changes";
import type { ProjectApiKeyChange } from "@/lib/contract/operations/keys/project-api-keys";
import { type ChangeContext, type ChangeRequest, change, withEventOfEach } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { catchRefusal, conflict, invalid, notFound, type Refusal } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import { hashSecret } from "../secrets/secret";
import { isExpired } from "./key-cache";
import type {
  FoundKey,
  KeyCreator,
  KeyScope,
  ProjectKeyRecord,
  ServiceAccountRecord,
  WithLastUse,
} from "./key-records";
import type { KeyStore } from "./key-store.sql";

/** The scope in a request: absent fields stay as they are, null removes the limit. */
export type ScopeChange = { readonly [Field in keyof KeyScope]?: KeyScope[Field] | undefined };

export const unlimited: KeyScope = { models: null, endpoints: null };

/** The scope that results from a change. @throws Refusal 400 for an unknown model. */
export function changeScope(
  scopeBefore: KeyScope,
  { models, endpoints }: ScopeChange,
  catalogue: { find(id: string): object | undefined },
  field = "models",
): KeyScope {
  for (const [index, id] of (models ?? []).entries()) {
    if (!catalogue.find(id)) throw invalid(`${field}.${index}`, `There is no model "${id}".`);
  }
  return {
    models: models === undefined ? scopeBefore.models : models && [...new Set(models)],
    endpoints: endpoints === undefined ? scopeBefore.endpoints : endpoints && [...new Set(endpoints)],
  };
}

/** A key's id, and the project that it must belong to. */
interface KeyPath {
  readonly projectId: string;
  readonly id: string;
}

/** `refuse` runs first, even if there is no such key. @throws Refusal 404 if the project has no such key. */
export async function findProjectKey(
  keys: Pick<KeyStore, "findProjectKey">,
  { projectId, id }: KeyPath,
  refuse: (key: KeyAccess) => void = () => {},
): Promise<WithLastUse<ProjectKeyRecord>> {
  const key = await keys.findProjectKey(id);
  const isThere = key?.projectId === projectId;
  refuse(isThere ? key : { projectId, serviceAccount: null });
  if (!isThere) throw notFound("key", id, "key_id");
  return key;
}

/** The fields that determine a key's permissions. */
type KeyAccess = Pick<ProjectKeyRecord, "projectId" | "serviceAccount">;

/** An actor may not create, change or revoke a key with more permissions than their own. @throws Refusal 403. */
export function refuseStrongerKey(
  graph: AccessGraph,
  actor: Actor,
  { projectId, serviceAccount }: KeyAccess,
): void {
  const role = graph.findRole(toProjectRoleId(serviceAccount?.role ?? "member"));
  refuseLackedPermission(actor, role?.permissions ?? [], projectId);
}

export interface NewProjectKey {
  readonly projectId: string;
  readonly serviceAccount: ServiceAccountRecord | null;
  readonly name: string;
  /** Null for a key that does not expire. */
  readonly lifetimeSeconds: number | null;
  readonly scope: KeyScope;
  readonly creator: KeyCreator;
  /** The id of the key that it replaces. */
  readonly rotatedFrom?: string;
  readonly replacedAtOnce?: boolean;
  /** Now, if it is absent. */
  readonly createdAtMs?: number;
}

/** A key's record, with the whole key in `value`, which is not stored. */
export interface CreatedProjectKey {
  readonly key: ProjectKeyRecord;
  readonly value: string;
}

/** A key that is not stored yet. */
export function newProjectKey(
  { clock, random }: ClockAndRandom,
  {
    lifetimeSeconds,
    rotatedFrom,
    replacedAtOnce = false,
    createdAtMs = clock.nowMs(),
    ...fields
  }: NewProjectKey,
): CreatedProjectKey {
  const value = newSecretKey("gk_live_", random);
  const key = {
    id: newId("key", createdAtMs, random),
    ...fields,
    rotatedFrom: rotatedFrom ?? null,
    replacedAtOnce,
    hash: hashSecret(value),
    lastFour: value.slice(-4),
    createdAtMs,
    expiresAtMs: lifetimeSeconds === null ? null : createdAtMs + lifetimeSeconds * 1000,
  };
  return { key, value };
}

/**
 * Creates a project's key. `value` is the whole key, which is not stored and can't be shown again.
 * @throws Refusal 400 for an unknown model; 403 if the key would have more permissions than the actor.
 */
export function createProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  { scope, ...draft }: Omit<NewProjectKey, "serviceAccount" | "scope"> & { scope: ScopeChange },
): Promise<CreatedProjectKey> {
  return change(context, request, async (transaction) => {
    const limited = changeScope(unlimited, scope, context.catalogue);
    const key = newProjectKey(context.runtime, { ...draft, scope: limited, serviceAccount: null });
    refuseStrongerKey(context.graph, actor, key.key);
    await context.keys.insertProjectKey(transaction, key.key);
    return key;
  });
}

export interface KeyContext extends ChangeContext {
  readonly keys: KeyStore;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
  readonly catalogue: { find(id: string): object | undefined };
}

/**
 * Changes a key's name or scope, lets it expire in so many seconds, or keeps it although its maker has left.
 * @throws Refusal 400 for an unknown model, 404, 403 for a key with more permissions than the actor, 409 for one that
 * has expired.
 */
export function changeProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  keyPath: KeyPath,
  { name, expires_in_seconds: lifetimeSeconds, keep, ...scoped }: ProjectApiKeyChange,
): Promise<WithLastUse<ProjectKeyRecord>> {
  return change(context, request, async (transaction) => {
    const keyBefore = await findProjectKey(context.keys, keyPath);
    refuseStrongerKey(context.graph, actor, keyBefore);
    const nowMs = context.runtime.clock.nowMs();
    if (isExpired(keyBefore, nowMs)) {
      throw conflict("key_id", `The key "${keyBefore.name}" has expired. Create another one.`, "key_expired");
    }
    const expiresAtMs =
      lifetimeSeconds === undefined ? keyBefore.expiresAtMs : nowMs + lifetimeSeconds * 1000;
    const scope = changeScope(keyBefore.scope, scoped, context.catalogue);
    const key = { ...keyBefore, name: name ?? keyBefore.name, expiresAtMs, scope };
    await context.keys.updateProjectKey(transaction, key);
    if (keep) await context.keys.keepProjectKey(transaction, key.id, nowMs);
    return key;
  });
}

/**
 * Replaces a key by a new one with the same permissions. The old key expires after an overlap, or at once if there is
 * none. The new key gets the whole lifetime of a key that would expire.
 * @throws Refusal 404; 403 for a key with more permissions than the actor; 409 for one that has expired.
 */
export function rotateProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  keyPath: KeyPath,
  { overlapSeconds, creator }: { overlapSeconds: number; creator: KeyCreator },
): Promise<CreatedProjectKey> {
  const { keys, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    const old = await findProjectKey(keys, keyPath);
    refuseStrongerKey(graph, actor, old);
    const nowMs = runtime.clock.nowMs();
    if (isExpired(old, nowMs)) {
      throw conflict("key_id", `The key "${old.name}" has expired. Create another one.`, "key_expired");
    }
    const { id, projectId, serviceAccount, name, scope, expiresAtMs } = old;
    const lifetimeSeconds = await findLifetime(keys, old);
    const replacedAtOnce = overlapSeconds === 0;
    const draft = { projectId, serviceAccount, name, lifetimeSeconds, scope, creator, rotatedFrom: id };
    // The store tells by the equal times that this rotation revoked the old key.
    const key = newProjectKey(runtime, { ...draft, replacedAtOnce, createdAtMs: nowMs });
    await keys.insertProjectKey(transaction, key.key);
    if (replacedAtOnce) {
      await keys.revokeProjectKey(transaction, id, nowMs);
    } else {
      const endsAtMs = Math.min(nowMs + overlapSeconds * 1000, expiresAtMs ?? Number.POSITIVE_INFINITY);
      await keys.updateProjectKey(transaction, { ...old, expiresAtMs: endsAtMs });
    }
    return key;
  });
}

/** Returns the seconds of a key's life; null if it does not expire. A rotated key ends with its overlap. */
async function findLifetime(
  keys: KeyContext["keys"],
  { id, createdAtMs, expiresAtMs }: ProjectKeyRecord,
): Promise<number | null> {
  if (expiresAtMs === null) return null;
  const successor = await keys.findSuccessor(id);
  return successor ? findLifetime(keys, successor) : Math.ceil((expiresAtMs - createdAtMs) / 1000);
}

/** Revokes a project's key with immediate effect. @throws Refusal 404, 403. */
export function deleteProjectKey(
  context: KeyContext,
  request: ChangeRequest,
  actor: Actor,
  keyPath: KeyPath,
): Promise<void> {
  const { keys, graph, runtime } = context;
  return change(context, request, async (transaction) => {
    // A caller who may not revoke keys must not learn which keys exist.
    const key = await findProjectKey(keys, keyPath, (storedKey) =>
      refuseStrongerKey(graph, actor, storedKey),
    );
    await keys.revokeProjectKey(transaction, key.id, runtime.clock.nowMs());
  });
}

/** What a key that was found somewhere can still do. */
type KeyStatus = "active" | "expired" | "revoked";

/** Finds a key by its whole text, which is hashed at once and never stored; null if no such key ever existed. */
export async function findByValue(
  keys: Pick<KeyStore, "findByHash">,
  value: string,
  nowMs: number,
): Promise<{ found: FoundKey; status: KeyStatus } | null> {
  const key = await keys.findByHash(hashSecret(value.trim()));
  if (!key) return null;
  const hasExpired = isExpired(key.key, nowMs);
  return { found: key, status: key.revokedAtMs !== null ? "revoked" : hasExpired ? "expired" : "active" };
}

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
