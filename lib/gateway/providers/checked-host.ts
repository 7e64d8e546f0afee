import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import { isPublicAddress } from "../http/public-address";

/** A host's addresses, or an error: `dns.lookup`. */
export type Resolve = (
  host: string,
  options: { all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** How long a host is taken to be where it was found. */
const FOUND_MS = 5_000;

/** Nothing was sent: the provider is at no address of the public internet, and its host is not named. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(
      `${host} is at a private address: name it in GATEHOUSE_PROVIDER_HOSTS, or write the provider into the configuration file`,
    );
  }
}

/** A host that has to be at a public address, looked up again every few seconds: who owns a name may point it elsewhere at any time. */
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

  /** Where it was found just now; null where it has to be looked for. */
  get address(): string | null {
    return performance.now() - this.#foundAt < FOUND_MS ? this.#address : null;
  }

  /** All who ask at one moment share one look. @throws AddressRefused, or what the look-up says. */
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
