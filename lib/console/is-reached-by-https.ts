/**
 * Whether people reach the console over https: as the proxy in front of it says, or as its configured address does. For
 * the cookies and for the headers of pages alike.
 */
export function isReachedByHttps(
  headers: Pick<Headers, "get">,
  consoleUrl: string | null | undefined,
): boolean {
  const forwardedProtocol = headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  return forwardedProtocol === "https" || consoleUrl?.startsWith("https:") === true;
}
