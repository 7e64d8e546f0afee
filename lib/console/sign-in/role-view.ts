import "server-only";
import { cookies } from "next/headers";
import { cache } from "react";
import * as z from "zod/mini";
import { environment } from "../environment";
import { cookieName, isHttps } from "../is-https";
import { sealFor } from "./seal-session";
import { currentSession, nameSession } from "./session";

const COOKIE = "gatehouse_role_view";

/** The role that the person looks at the console as. */
const roleView = z.object({
  /** The session in which it was begun: no other one takes it over. */
  session: z.string(),
  roleId: z.string(),
  roleName: z.string(),
  /** Whether it is the role as it was typed, before it was saved. */
  isDraft: z.boolean(),
  /** The header that narrows requests. */
  header: z.object({ name: z.string(), value: z.string() }),
  /** Unix seconds. */
  expiresAt: z.int(),
});
type RoleView = z.output<typeof roleView>;

const { close, open } = sealFor("gatehouse role view", roleView);

/** Returns the view of this session; null without one. */
export const currentRoleView = cache(async (): Promise<RoleView | null> => {
  const sealedView = (await cookies()).get(await cookieName(COOKIE))?.value;
  const session = sealedView ? await currentSession() : null;
  const view = sealedView && session ? open(sealedView, environment().secret, Date.now()) : null;
  return view && session && view.session === nameSession(session) ? view : null;
});

/** Begins a view, which ends with the session at the latest. Call it only in a server action. */
export async function startRoleView(view: Omit<RoleView, "session" | "expiresAt">): Promise<void> {
  const session = await currentSession();
  if (!session) return;
  const { expiresAt } = session;
  const sealedView = close({ ...view, session: nameSession(session), expiresAt }, environment().secret);
  (await cookies()).set(await cookieName(COOKIE), sealedView, {
    httpOnly: true,
    sameSite: "lax",
    secure: await isHttps(),
    path: "/",
    expires: new Date(expiresAt * 1000),
  });
}

/** Ends the view. Call it only in a server action. */
export async function endRoleView(): Promise<void> {
  (await cookies()).delete({ name: await cookieName(COOKIE), path: "/", secure: await isHttps() });
}
