import type { Operation } from "@/lib/contract/operation";
import { invalid, Refusal } from "../refusal";
import { findEntityTag } from "./stamp-versions";

/** An object to be changed; `retrieve` returns what GET answers. */
export interface ChangedObject {
  readonly operation: Pick<Operation, "effect" | "needsVersion">;
  /** Throws a Refusal 404 if there is no such object. */
  readonly retrieve: () => Promise<unknown>;
  /** Whether the caller may see what `retrieve` returns. */
  readonly mayRead: () => boolean;
}

/** The headers that say which version of an object a change is based on; null if absent. */
interface Preconditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

const ENTITY_TAGS = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/**
 * Checks `If-Match` before a change (RFC 9110, 13.1.1): the object must still have that version. `If-None-Match: *`
 * (13.1.2) lets an operation that sets an object only create it. Without these headers any change passes, except that
 * an object which requires a version may only be created.
 * @throws Refusal 412 with the object as it is now.
 */
export async function refuseStale(
  { ifMatch, ifNoneMatch }: Preconditions,
  { operation, retrieve, mayRead }: ChangedObject,
): Promise<void> {
  const mustBeNew = ifNoneMatch !== null && operation.effect === "sets";
  if (ifMatch === null && !mustBeNew && !operation.needsVersion) return;
  if (ifMatch !== null && !ENTITY_TAGS.test(ifMatch)) {
    throw invalid("If-Match", 'If-Match must be * or quoted versions, such as "3q2-7w".');
  }
  if (mustBeNew && ifNoneMatch !== "*") throw invalid("If-None-Match", "If-None-Match must be *.");
  const current = await retrieve().catch((error) => {
    // An operation that sets an object may create it; one that edits an object may not.
    if (operation.effect === "sets" && error instanceof Refusal && error.status === 404) return null;
    throw error;
  });
  const tag = findEntityTag(current);
  if (ifMatch === null && tag === null) return;
  if (!mustBeNew && ifMatch !== null && tag !== null && (ifMatch === "*" || namesTag(ifMatch, tag))) return;
  const param = mustBeNew ? "If-None-Match" : "If-Match";
  const message =
    tag === null
      ? "This object was deleted. Reload it before you save."
      : `Somebody else has ${mustBeNew ? "made" : "changed"} this object since. Compare with \`current\` and save again with its version.`;
  const details = { param, ...(mayRead() && { current }), headers: tagHeader(tag) };
  throw new Refusal(412, "conflict_error", "stale_version", message, details);
}

/** Weak tags never match: our versions are strong tags without commas. */
function namesTag(ifMatch: string, tag: string): boolean {
  return ifMatch.split(",").some((candidate) => candidate.trim() === tag);
}

function tagHeader(tag: string | null): Record<string, string> {
  return tag === null ? {} : { etag: tag };
}
