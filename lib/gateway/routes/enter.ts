import { auditEvents } from "@/lib/contract/audit-events";
import { auditedAs } from "../audit/audit-context";
import { type SessionContext, startSession } from "../sessions/start-session";
import { toSession } from "./sessions";
import { type AttemptContext, rememberDevice, type Visitor } from "./sign-in-attempts";

/** Opens a session for a member who has shown who they are, on a device that is known from now on. */
export function enter(context: SessionContext & AttemptContext, visitor: Visitor, userId: string) {
  return auditedAs(auditEvents.signIn, async () => {
    const device = await rememberDevice(context, visitor, userId);
    const userAgent = visitor.headers.get("user-agent");
    const session = toSession(await startSession(context, { kind: "user", id: userId }, userAgent));
    return device === null ? session : { ...session, device_token: device };
  });
}
