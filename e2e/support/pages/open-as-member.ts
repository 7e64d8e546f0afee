import type { BrowserContext } from "@playwright/test";
import { sealSession } from "@/lib/console/sign-in/seal-session";
import type { Session } from "@/lib/contract/operations/sign-in/sessions";
import { loadSecret } from "@/lib/secret/load-secret";
import { adminApi } from "../clients/admin-api";
import { PASSWORD } from "../clients/join-member";
import type { Gatehouse } from "../programs/start-gatehouse";

/** Invites a person, accepts for them, and gives a browser their session, as if they had signed in. */
export async function openAsMember(
  context: BrowserContext,
  gatehouse: Gatehouse,
  invited: { email: string; name: string; role: string; projects?: { id: string; role: string }[] },
): Promise<Session> {
  const { email, name, role, projects = [] } = invited;
  const { call } = adminApi(gatehouse);
  const { token: invite } = await call<{ token: string }>("POST", "/invites", { email, role, projects });
  const session = await call<Session>("POST", "/invites/accept", { token: invite, name, password: PASSWORD });
  const { token, expires_at: expiresAt } = session;
  const sealed = sealSession({ kind: "session", token, expiresAt }, loadSecret(gatehouse));
  await context.addCookies([{ name: "gatehouse_session", value: sealed, url: gatehouse.consoleUrl }]);
  return session;
}
