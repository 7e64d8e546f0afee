import { isIP } from "node:net";
import { findAllowedAddresses, type ResolveHost } from "./allowed-addresses";
import { isPublicAddress } from "./public-address";

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
