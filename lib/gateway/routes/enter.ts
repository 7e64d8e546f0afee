import { auditEvents } from "@/lib/contract/audit-events";
import { type SessionContext, startSession } from "../access/start-session";
import { type ChangeRequest, change, requestAs } from "../changes/change";
import { toSession } from "./sessions";
import { type AttemptContext, rememberDevice, type Visitor } from "./sign-in-attempts";

/** Opens a session for a member who has shown who they are, on a device that is known from now on. */
export async function enter(
  context: SessionContext & AttemptContext,
  request: ChangeRequest,
  visitor: Visitor,
  userId: string,
) {
  const userAgent = visitor.headers.get("user-agent");
  const { device, opened } = await change(
    context,
    requestAs(auditEvents.signIn, request),
    async (transaction) => ({
      device: await rememberDevice(context, transaction, visitor, userId),
      opened: await startSession(context, transaction, { kind: "user", id: userId }, userAgent),
    }),
  );
  const session = toSession(opened);
  return device === null ? session : { ...session, device_token: device };
}
