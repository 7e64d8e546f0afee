import { DAY_S } from "@/lib/contract/durations";
import "server-only";
import { cookies } from "next/headers";
import { isHttps } from "../is-https";

const COOKIE = "gatehouse_device";
const MAX_AGE_S = 180 * DAY_S;

/** Returns this browser's device token; null if nobody has signed in from it. */
export async function deviceToken(): Promise<string | null> {
  const token = (await cookies()).get(COOKIE)?.value;
  // Headers must not contain other characters.
  return token && /^[\w-]{1,200}$/.test(token) ? token : null;
}

/** Stores the token of a new device, which survives signing out. Call it only in a server action or a route handler. */
export async function saveDeviceToken(token: string | undefined): Promise<void> {
  if (!token) return;
  (await cookies()).set(COOKIE, token, {
    httpOnly: true,
    sameSite: "lax",
    secure: await isHttps(),
    path: "/",
    maxAge: MAX_AGE_S,
  });
}
