import { unauthenticated } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { type AuthenticationContext, authenticateAgain } from "./authenticate";
import { type AccessRequirement, authorize } from "./authorize";
import type { Caller } from "./caller";
import { listVisibleProjects } from "./list-visible-projects";

/**
 * Returns a function that authenticates the maker of a request again, for a reply that takes longer than an instant. It
 * throws a Refusal once the caller may not make the request any more, or has lost a project that the reply lists. One
 * who joins a project still sees only the projects of the beginning: a part of the new one would pass for all of it.
 */
export function followAccess(
  context: AuthenticationContext,
  { headers }: { readonly headers: RequestHeaders },
  operation: AccessRequirement,
  params: Readonly<Record<string, string>>,
): () => Caller {
  const { permission } = operation;
  const listProjects = (caller: Caller) =>
    typeof permission === "string" ? listVisibleProjects(context.graph, caller, permission) : null;
  const now = () => authenticateAgain(context, headers);
  const before = listProjects(now());
  return () => {
    const caller = now();
    authorize(operation, caller, params, headers.get("openai-project"));
    if (hasLost(before, listProjects(caller))) throw unauthenticated();
    return before ? { ...caller, onlyIn: before } : caller;
  };
}

/** Whether one of these projects isn't visible any more. Null stands for all projects. */
function hasLost(before: readonly string[] | null, visible: readonly string[] | null): boolean {
  return visible !== null && !before?.every((id) => visible.includes(id));
}
