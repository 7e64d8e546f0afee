import { findNetwork } from "@/lib/client-address/find-network";
import { TrustedProxies } from "@/lib/client-address/trusted-proxies";

/** A connection as far as shares go. */
export interface SharedConnection {
  /** The client's IP address. */
  readonly peer: string;
  /** Since when no request is under way, in seconds; null while one is. */
  readonly restingSince: number | null;
  end(): void;
}

export interface ShareOptions {
  /** The most connections of one network: an IPv4 address, or an IPv6 /64. */
  readonly maxPerNetwork: number;
  /** Addresses and networks without a share: proxies, which serve many clients. */
  readonly exempt: readonly string[];
  readonly log: (line: string) => void;
}

/** The console and local proxies connect from these addresses. */
const OWN_MACHINE = ["127.0.0.1", "::1"];
/** A connection is closed only after it has rested for this long: its next request may be on its way. */
const MIN_REST_SECONDS = 1;
/** The log gets at most one line a minute, however many clients return. */
const TELL_SECONDS = 60;

/** Counts the open connections of each network, and closes those beyond its share that have rested the longest. */
export class ConnectionShares {
  readonly #exempt: TrustedProxies;
  readonly #byNetwork = new Map<string, Set<SharedConnection>>();
  /** The networks that have more than their share. */
  readonly #crowdedNetworks = new Set<string>();
  #untold = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ShareOptions) {
    this.#exempt = new TrustedProxies([...OWN_MACHINE, ...options.exempt]);
  }

  enter(connection: SharedConnection): void {
    if (this.#exempt.trusts(connection.peer)) return;
    const network = findNetwork(connection.peer);
    let open = this.#byNetwork.get(network);
    if (!open) this.#byNetwork.set(network, (open = new Set()));
    open.add(connection);
    if (open.size > this.options.maxPerNetwork) this.#crowdedNetworks.add(network);
  }

  leave(connection: SharedConnection): void {
    const network = findNetwork(connection.peer);
    const open = this.#byNetwork.get(network);
    if (!open?.delete(connection)) return;
    if (open.size === 0) this.#byNetwork.delete(network);
    if (open.size <= this.options.maxPerNetwork) this.#crowdedNetworks.delete(network);
  }

  /** Closes what is too many. Call it about once a second. @param now seconds. */
  sweep(now: number): void {
    for (const network of this.#crowdedNetworks) this.#closeSurplus(network, now);
  }

  #closeSurplus(network: string, now: number): void {
    const open = this.#byNetwork.get(network);
    let surplus = (open?.size ?? 0) - this.options.maxPerNetwork;
    if (!open || surplus <= 0) return;
    const resting = [...open].filter(
      ({ restingSince }) => restingSince !== null && now - restingSince >= MIN_REST_SECONDS,
    );
    resting.sort((one, other) => (one.restingSince ?? 0) - (other.restingSince ?? 0));
    for (const connection of resting) {
      if (surplus-- <= 0) break;
      connection.end();
      this.leave(connection);
      this.#untold++;
    }
    this.#tell(network, now);
  }

  #tell(network: string, now: number): void {
    if (this.#untold === 0 || now - this.#toldAt < TELL_SECONDS) return;
    const { log } = this.options;
    log(`Closed ${this.#untold} resting connections of addresses with too many, last ${network}.`);
    this.#untold = 0;
    this.#toldAt = now;
  }
}
