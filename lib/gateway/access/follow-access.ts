import type { RequestHeaders } from "../incoming-request";
import { unauthenticated } from "../refusal";
import { type AuthenticationContext, authenticateAgain } from "./authenticate";
import { type AccessRequirement, authorize } from "./authorize";
import type { Caller } from "./caller";
import { listVisibleProjects } from "./list-visible-projects";

/**
 * Returns a function that authenticates the maker of a request again, for a reply that takes longer than an instant. It
 * throws a Refusal once the caller may not make the request any more, or sees other projects than at the beginning:
 * otherwise a part of a list would pass for all of it.
 */
export function followAccess(
  context: AuthenticationContext,
  { headers }: { readonly headers: RequestHeaders },
  operation: AccessRequirement,
  params: Readonly<Record<string, string>>,
): () => Caller {
  const sight = (caller: Caller) =>
    typeof operation.permission === "string"
      ? String(listVisibleProjects(context.graph, caller, operation.permission))
      : "";
  const now = () => authenticateAgain(context, headers);
  const before = sight(now());
  return () => {
    const caller = now();
    authorize(operation, caller, params, headers.get("openai-project"));
    if (sight(caller) !== before) throw unauthenticated();
    return caller;
  };
}
