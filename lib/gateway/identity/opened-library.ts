import type { ExpiringMap } from "../ports/expiring-map";
import type { Auth } from "./create-auth";

/** What the adapter keeps between two requests of one person. */
export interface Opened {
  readonly auth: Auth;
  /** Cookies of the library by challenge. */
  readonly challenges: ExpiringMap<{ cookie: string; userId: string }>;
  readonly usedCodes: ExpiringMap<true>;
  readonly moments: ExpiringMap<string>;
}

/** The cookies that a reply sets, as a request sends them back. */
export function cookiesOf(headers: Headers): string {
  const set = headers.getSetCookie().filter((cookie) => !/max-age=0/i.test(cookie));
  return set.map((cookie) => cookie.split(";")[0]).join("; ");
}
