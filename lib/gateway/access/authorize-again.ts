import type { RequestHeaders } from "../request-headers";
import { type AuthenticationContext, authenticate } from "./authenticate";
import { type AccessRequirement, authorize } from "./authorize";
import type { Caller } from "./caller";

/**
 * The caller as they are now, for a request that has waited since it was authorized, for its body or its turn.
 * @returns null only for an operation that is open to everyone.
 * @throws Refusal as `authorize` does.
 */
export function authorizeAgain(
  context: AuthenticationContext,
  headers: RequestHeaders,
  operation: AccessRequirement,
  params: Readonly<Record<string, string>> = {},
): Caller | null {
  const caller = authenticate(context, headers);
  authorize(operation, caller, params, headers.get("openai-project"));
  return caller;
}
