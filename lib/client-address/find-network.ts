import { isIPv6 } from "node:net";

/** The network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 address. Any other text as it is. */
export function findNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  // URLs write IPv6 addresses in their one canonical form (RFC 5952).
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const splitGroups = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [splitGroups(head), splitGroups(tail ?? "")];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}
