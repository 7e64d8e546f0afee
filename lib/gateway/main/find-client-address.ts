import { CLIENT_ADDRESS_HEADER, readSignedAddress } from "@/lib/client-address/signed-address";
import type { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import type { Effects } from "../effects";
import type { RequestHeaders } from "../incoming-request";

interface Believed {
  readonly secret: Uint8Array;
  readonly trustedProxies: TrustedProxies;
  readonly effects: Effects;
}

/** The client's address: the one that the console signed for a browser, or the one that the trusted proxies report. */
export function findClientAddress(
  { secret, trustedProxies, effects }: Believed,
  headers: RequestHeaders,
  peer: string | null,
): string | null {
  const signedAddress = headers.get(CLIENT_ADDRESS_HEADER);
  const browser =
    signedAddress === null ? null : readSignedAddress(signedAddress, secret, effects.clock.nowMs());
  return browser ?? (peer === null ? null : trustedProxies.findClient(peer, headers.get("x-forwarded-for")));
}
