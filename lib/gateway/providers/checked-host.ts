import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import { isPublicAddress } from "../http/public-address";

/** Resolves a host's addresses or fails; the signature of `dns.lookup`. */
export type Resolve = (
  host: string,
  options: { all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** How long a resolved address is reused. */
const FOUND_MS = 5_000;

/** Nothing was sent: the provider's address is not on the public internet, and the operator has not allowed its host. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(
      `${host} is at a private address: name it in GATEHOUSE_PROVIDER_HOSTS, or write the provider into the configuration file`,
    );
  }
}

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
    private readonly resolve: Resolve = lookup,
  ) {
    if (isIP(host) && isPublicAddress(host))
      [this.#address, this.#foundAt] = [host, Number.POSITIVE_INFINITY];
  }

  /** The address found recently; null where it must be resolved again. */
  get address(): string | null {
    return performance.now() - this.#foundAt < FOUND_MS ? this.#address : null;
  }

  /** Concurrent callers share one lookup. @throws AddressRefused, or the error of the lookup. */
  find(): Promise<string> {
    this.#finding ??= this.#find().finally(() => {
      this.#finding = null;
    });
    return this.#finding;
  }

  async #find(): Promise<string> {
    const found = isIP(this.host) ? [this.host] : await this.#lookUp();
    const address = found.find(isPublicAddress);
    if (address === undefined) throw new AddressRefused(this.host);
    [this.#address, this.#foundAt] = [address, performance.now()];
    return address;
  }

  #lookUp(): Promise<string[]> {
    return new Promise((succeed, fail) => {
      this.resolve(this.host, { all: true }, (error, addresses) =>
        error ? fail(error) : succeed(addresses.map(({ address }) => address)),
      );
    });
  }
}
