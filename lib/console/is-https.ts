import "server-only";
import { headers } from "next/headers";
import { environment } from "./environment";
import { isReachedByHttps } from "./is-reached-by-https";

/** Whether people reach the console over https with the present request. */
export async function isHttps(): Promise<boolean> {
  return isReachedByHttps(await headers(), environment().consoleOrigin);
}

/**
 * The cookie's name with the prefix that binds it to this host: `__Host-` over https, `__Secure-` for a cookie of one
 * path (RFC 6265bis, section 4.1.3). Browsers reject both prefixes over plain http, as on localhost.
 */
export async function cookieName(name: string, path = "/"): Promise<string> {
  if (!(await isHttps())) return name;
  return `${path === "/" ? "__Host-" : "__Secure-"}${name}`;
}
