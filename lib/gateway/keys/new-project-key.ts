import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { newId } from "@/lib/contract/ids";
import type { Effects } from "../effects";
import { hashSecret } from "../secrets/hash-secret";
import type { KeyCreator, KeyScope, ProjectKeyRecord, ServiceAccountRecord } from "./key-store";

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
  { clock, random }: Effects,
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
