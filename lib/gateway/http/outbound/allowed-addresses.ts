import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** Resolves a host's addresses or fails; the signature of `dns.lookup`. */
export type ResolveHost = (
  host: string,
  options: { all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** The gateway may connect to none of the host's addresses. Nothing was sent. */
export class AddressNotAllowed extends Error {}

export interface AddressRule {
  readonly isAllowed: (address: string) => boolean;
  /** Returns the message for the operator about a host without an allowed address. */
  readonly refusal: (host: string) => string;
  readonly resolve?: ResolveHost | undefined;
}

/**
 * The addresses of a host that may be connected to; an IP address is its own.
 * @throws AddressNotAllowed where there is none, or the error of the lookup.
 */
export async function findAllowedAddresses(
  host: string,
  { isAllowed, refusal, resolve = lookup }: AddressRule,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveAll(host, resolve);
  const [first, ...others] = found.filter(({ address }) => isAllowed(address));
  if (!first) throw new AddressNotAllowed(refusal(host));
  return [first, ...others];
}

function resolveAll(host: string, resolve: ResolveHost): Promise<LookupAddress[]> {
  return new Promise((succeed, fail) => {
    resolve(host, { all: true }, (error, addresses) => (error ? fail(error) : succeed(addresses)));
  });
}

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

/** How long a resolved address is reused. */
const FOUND_MS = 5_000;

const refusal = (host: string) =>
  `${host} is at a private address: name it in GATEHOUSE_PROVIDER_HOSTS, or write the provider into the configuration file`;

/**
 * A host that must be at a public address. It is resolved again every few seconds, since the owner of a name can change
 * its address at any time.
 */
export class CheckedHost {
  #address: string | null = null;
  #foundAt = Number.NEGATIVE_INFINITY;
  #finding: Promise<string> | null = null;

  constructor(
    private readonly host: string,
    private readonly resolve?: ResolveHost,
  ) {
    if (isIP(host) && isPublicAddress(host))
      [this.#address, this.#foundAt] = [host, Number.POSITIVE_INFINITY];
  }

  /** The address found recently; null if it must be resolved again. */
  get address(): string | null {
    return performance.now() - this.#foundAt < FOUND_MS ? this.#address : null;
  }

  /** Concurrent callers share one lookup. @throws AddressNotAllowed, or the error of the lookup. */
  find(): Promise<string> {
    this.#finding ??= this.#find().finally(() => {
      this.#finding = null;
    });
    return this.#finding;
  }

  async #find(): Promise<string> {
    const rule = { isAllowed: isPublicAddress, refusal, resolve: this.resolve };
    const [{ address }] = await findAllowedAddresses(this.host, rule);
    [this.#address, this.#foundAt] = [address, performance.now()];
    return address;
  }
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function readHostname({ hostname }: Pick<URL, "hostname">): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** If a proxy is configured, only the proxy can tell whether a server is reachable. */
const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

export function isBehindProxy(): boolean {
  return PROXY_VARIABLES.some((name) => process.env[name]);
}

const idleHandlers = { data() {}, error() {} };

/**
 * Resolves once the server accepts a connection, which is closed at once. Rejects with the network's error, or with a
 * ConnectTimeout after `ms`.
 */
export async function reachHost(address: string, ms: number): Promise<void> {
  if (isBehindProxy()) return;
  const url = new URL(address);
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ConnectTimeout(`${address} accepted no connection in ${ms} ms`)),
    ms,
  );
  const connection = Bun.connect({
    hostname: readHostname(url),
    port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    socket: idleHandlers,
  }).then((socket) => socket.end());
  try {
    await Promise.race([connection, timeout]);
  } finally {
    clearTimeout(timer);
    connection.catch(() => {});
  }
}

/** Nothing accepted the connection in time; nothing was sent. */
export class ConnectTimeout extends Error {}

const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Whether an error proves that nothing was sent. */
export function isUnsent(error: unknown): boolean {
  if (error instanceof AddressNotAllowed || error instanceof ConnectTimeout) return true;
  return error instanceof Error && "code" in error && UNSENT.has(String(error.code));
}
