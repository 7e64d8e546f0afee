import type { AuthenticationContext } from "../access/authenticate";
import { type AccessRequirement, authorizeAgain, refuseContent } from "../access/authorize";
import { missingPermission, unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { isVisible, type OwnedObject } from "./visible-work";

/**
 * Returns a function for a file that is read for longer than an instant. It throws a Refusal once the reader may not
 * read this file any more, whatever else changes of their rights meanwhile.
 */
export function followContent(
  context: AuthenticationContext,
  { headers }: { readonly headers: RequestHeaders },
  operation: AccessRequirement,
  object: OwnedObject,
): () => void {
  const { permission } = operation;
  return () => {
    const reader = authorizeAgain(context, headers, operation);
    if (!reader) throw unauthenticated();
    if (typeof permission === "string" && !isVisible(context, reader, permission, object))
      throw missingPermission(permission);
    refuseContent(reader, object);
  };
}
