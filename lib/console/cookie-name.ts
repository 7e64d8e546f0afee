import { isHttps } from "./is-https";

/**
 * A cookie's name as browsers hold it to this host: `__Host-` over https, `__Secure-` where it is for one path alone
 * (RFC 6265bis, section 4.1.3). Over plain http, as on the machine itself, browsers refuse both prefixes.
 */
export async function cookieName(name: string, path = "/"): Promise<string> {
  if (!(await isHttps())) return name;
  return `${path === "/" ? "__Host-" : "__Secure-"}${name}`;
}
