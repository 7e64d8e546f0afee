import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * IPv4 ranges outside the public internet: IANA's special-purpose registry (RFC 6890), multicast, and reserved ranges.
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  // Azure's metadata service; the other clouds use link-local or private ranges.
  "168.63.129.16/32",
];
/** The global IPv6 range, and the ranges in it that stand for other addresses: Teredo, 6to4, documentation. */
const GLOBAL_IPV6 = ["2000::/3"];
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const specialIpv4 = createBlockList(SPECIAL_IPV4, "ipv4");
const globalIpv6 = createBlockList(GLOBAL_IPV6, "ipv6");
const specialIpv6 = createBlockList(SPECIAL_IPV6, "ipv6");

/**
 * Whether an IP address is on the public internet: not private, loopback, link-local, metadata, mapped or tunnelled.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, "ipv4");
  return isIPv6(address) && globalIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
}

function createBlockList(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
