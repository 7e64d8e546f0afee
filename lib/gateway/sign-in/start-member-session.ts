import { auditEvents } from "@/lib/contract/access/audit-events";
import { type NewSession, startSession } from "../access/sessions";
import { type ChangeRequest, change, withEventType } from "../changes/change";
import { rememberDevice } from "./devices";
import type { SignInContext } from "./sign-in-context";
import type { Visitor } from "./visitor";

/** A member's new session. `deviceToken` is null on a device that has one. */
export interface MemberSession extends NewSession {
  readonly deviceToken: string | null;
}

/** Opens a session for an authenticated member, and remembers the device. */
export function startMemberSession(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  userId: string,
): Promise<MemberSession> {
  const holder = { kind: "user" as const, id: userId };
  return change(context, withEventType(auditEvents.signIn, request), async (transaction) => {
    const deviceToken = await rememberDevice(context, transaction, visitor, userId);
    const started = await startSession(context, transaction, holder, visitor.userAgent);
    await context.users.recordSignIn(transaction, userId, started.session.createdAtMs);
    return { deviceToken, ...started };
  });
}
