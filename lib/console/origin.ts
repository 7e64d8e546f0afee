/** The headers and address from which a request's origin and destination are determined. */
export interface RequestOrigin {
  readonly origin: string | null;
  readonly host: string | null;
  readonly forwardedHost: string | null;
  readonly secFetchSite: string | null;
}

export function readRequestOrigin(headers: Pick<Headers, "get">): RequestOrigin {
  return {
    origin: headers.get("origin"),
    host: headers.get("host"),
    forwardedHost: headers.get("x-forwarded-host"),
    secFetchSite: headers.get("sec-fetch-site"),
  };
}

/**
 * Returns true if this request may change something: its `Origin` must be the host it was sent to, or the configured
 * origin. A missing, `null` or foreign `Origin` is refused.
 */
export function isOwnOrigin(request: RequestOrigin, consoleOrigin: string | null): boolean {
  if (request.secFetchSite !== null && request.secFetchSite !== "same-origin") return false;
  const { origin } = request;
  if (!origin || !URL.canParse(origin)) return false;
  const { host, origin: ownOrigin, protocol } = new URL(origin);
  if (ownOrigin !== origin || !/^https?:$/.test(protocol)) return false;
  if (consoleOrigin !== null && origin === consoleOrigin) return true;
  const forwardedHost = request.forwardedHost?.split(",")[0]?.trim();
  return host === request.host || (forwardedHost !== undefined && host === forwardedHost);
}

/** Returns true if this read may be answered. False if the browser reports that another site made the request. */
export function isOwnRead(request: RequestOrigin): boolean {
  return request.secFetchSite === null || ["same-origin", "none"].includes(request.secFetchSite);
}
