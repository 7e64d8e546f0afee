/** The parts of a request that tell its origin and its destination. */
export interface RequestOrigin {
  readonly origin: string | null;
  readonly host: string | null;
  readonly forwardedHost: string | null;
  readonly secFetchSite: string | null;
}

export function requestOriginOf(headers: Pick<Headers, "get">): RequestOrigin {
  return {
    origin: headers.get("origin"),
    host: headers.get("host"),
    forwardedHost: headers.get("x-forwarded-host"),
    secFetchSite: headers.get("sec-fetch-site"),
  };
}

/**
 * Whether this request may change something: only if its `Origin` is the host that it was sent to, or the configured
 * origin. A missing, `null` or foreign one is refused.
 */
export function isOwnOrigin(request: RequestOrigin, consoleOrigin: string | null): boolean {
  if (request.secFetchSite !== null && request.secFetchSite !== "same-origin") return false;
  const { origin } = request;
  if (!origin || !URL.canParse(origin)) return false;
  const { host, origin: serialised, protocol } = new URL(origin);
  if (serialised !== origin || !/^https?:$/.test(protocol)) return false;
  if (consoleOrigin !== null && origin === consoleOrigin) return true;
  const forwarded = request.forwardedHost?.split(",")[0]?.trim();
  return host === request.host || (forwarded !== undefined && host === forwarded);
}

/** Whether this read may be answered: not if the browser says that another site asked. */
export function isOwnRead(request: RequestOrigin): boolean {
  return request.secFetchSite === null || ["same-origin", "none"].includes(request.secFetchSite);
}
