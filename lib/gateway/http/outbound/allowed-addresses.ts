import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";

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
