import { BlockList, isIP, isIPv4 } from "node:net";

/** The proxies whose `X-Forwarded-For` header is trusted. */
export class TrustedProxies {
  readonly #known = new BlockList();

  /** @throws RangeError for an entry that is neither an IP address nor a network such as 10.0.0.0/8. */
  constructor(readonly entries: readonly string[]) {
    for (const entry of entries) {
      const [address = "", prefix, ...rest] = entry.split("/");
      const family = isIPv4(address) ? "ipv4" : "ipv6";
      const max = family === "ipv4" ? 32 : 128;
      const bits = prefix === undefined ? max : Number(prefix);
      const isNetwork = isIP(address) > 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix ?? "0");
      if (!isNetwork || bits > max) throw new RangeError(entry);
      this.#known.addSubnet(address, bits, family);
    }
  }

  /**
   * Returns the client's address: `peer`, unless that is a trusted proxy; then the last address in `X-Forwarded-For`
   * that isn't one. Earlier entries come from the client and aren't trusted.
   */
  findClient(peer: string, forwardedFor: string | null): string {
    let client = plainAddress(peer) ?? peer;
    for (const reported of (forwardedFor ?? "").split(",").toReversed()) {
      const address = this.trusts(client) ? plainAddress(reported) : null;
      if (address === null) break;
      client = address;
    }
    return client;
  }

  /** Returns true if an IP address, without port or brackets, is a trusted proxy. */
  trusts(address: string): boolean {
    return this.#known.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  }
}

/**
 * Reads `GATEHOUSE_TRUSTED_PROXIES`.
 * @throws Error that names the invalid entry and the correction.
 */
export function readTrustedProxies(text: string | undefined): TrustedProxies {
  const entries = (text ?? "").split(",").map((entry) => entry.trim());
  try {
    return new TrustedProxies(entries.filter((entry) => entry !== ""));
  } catch (error) {
    const entry = error instanceof Error ? error.message : "";
    throw new Error(
      `GATEHOUSE_TRUSTED_PROXIES has "${entry}": list IP addresses and networks, such as 10.0.0.7,10.1.0.0/16.`,
      { cause: error },
    );
  }
}

/** Removes a port, brackets, a zone and an IPv4-mapped IPv6 prefix. Null for text that isn't an IP address. */
export function plainAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare = /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) > 0 ? address.toLowerCase() : null;
}
