import type { Operation } from "@/lib/contract/operation";
import { invalid, Refusal } from "../refusal";
import { entityTagOf } from "./stamp-versions";

/** An object that is to be changed, which GET answers with what `retrieve` returns. */
export interface ChangedObject {
  readonly operation: Pick<Operation, "effect" | "needsVersion">;
  /** Throws a Refusal 404 where there is no such object. */
  readonly retrieve: () => Promise<unknown>;
  /** Whether the caller may be shown what `retrieve` returns. */
  readonly mayRead: () => boolean;
}

const ENTITY_TAGS = /^(\*|(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*)$/;

/**
 * Lets an object be changed if it is still the one that `If-Match` names (RFC 9110, 13.1.1). Without the header it lets every
 * object be changed but those that need a version, which it lets be made.
 * @throws Refusal 412 with the object as it is now.
 */
export async function refuseStale(
  ifMatch: string | null,
  { operation, retrieve, mayRead }: ChangedObject,
): Promise<void> {
  if (ifMatch === null && !operation.needsVersion) return;
  if (ifMatch !== null && !ENTITY_TAGS.test(ifMatch)) {
    throw invalid("If-Match", 'If-Match must be * or quoted versions, such as "3q2-7w".');
  }
  const current = await retrieve().catch((error) => {
    // Where an operation sets an object, it is fine that there is none yet; where it edits one, it is not.
    if (operation.effect === "sets" && error instanceof Refusal && error.status === 404) return null;
    throw error;
  });
  const tag = entityTagOf(current);
  if (ifMatch === null && tag === null) return;
  if (ifMatch !== null && tag !== null && (ifMatch === "*" || namesTag(ifMatch, tag))) return;
  const message =
    tag === null
      ? "This object is not there any more. Read it again before you save it."
      : "Somebody else has changed this object since. Compare with `current` and save again with its version.";
  const details = { param: "If-Match", ...(mayRead() && { current }), headers: tagHeader(tag) };
  throw new Refusal(412, "conflict_error", "stale_version", message, details);
}

/** Weak tags never match: our versions are strong, and contain no comma. */
function namesTag(ifMatch: string, tag: string): boolean {
  return ifMatch.split(",").some((named) => named.trim() === tag);
}

function tagHeader(tag: string | null): Record<string, string> {
  return tag === null ? {} : { etag: tag };
}
