/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function readHostname({ hostname }: Pick<URL, "hostname">): string {
  return hostname.replace(/^\[|\]$/g, "");
}
