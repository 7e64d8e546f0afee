import { type NextRequest, NextResponse } from "next/server";
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  NONCE_HEADER,
  PATH_HEADER,
} from "@/lib/console/build-security-headers";
import { isReachedByHttps } from "@/lib/console/is-reached-by-https";
import { noteLastProject } from "@/lib/console/last-project";

/**
 * Security headers, the asked path for pages, and the project opened last. Who may see what is decided where it is
 * read, never here.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = buildContentSecurityPolicy({
    nonce,
    isDevelopment: process.env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  headers.set(NONCE_HEADER, nonce);
  headers.set(PATH_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);

  const response = NextResponse.next({ request: { headers } });
  const isHttps = isReachedByHttps(request.headers, process.env.CONSOLE_URL);
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(buildSecurityHeaders(isHttps)))
    response.headers.set(name, value);
  noteLastProject(request, response, isHttps);
  return response;
}

export const config = {
  // Built files, which are the same for everyone, need none of it. Behind a proxy Next.js would keep the start of an
  // upload in memory and cut off the rest.
  matcher: ["/((?!_next/static|icon.svg|favicon.ico|api/uploads$).*)"],
};
