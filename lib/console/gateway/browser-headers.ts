import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import { CLIENT_ADDRESS_HEADER, signAddress } from "@/lib/client-address/signed-address";
import { DEVICE_HEADER } from "@/lib/contract/access/device-token";
import { environment } from "../environment";
import { deviceToken } from "../sign-in/device";
import { PEER_HEADER } from "./note-peers";

/**
 * The headers that tell the gateway about the browser: user agent, device token, and address. The gateway believes the
 * address because it is signed with the secret that both have. A page makes up to twenty reads with them.
 */
export const browserHeaders = cache(async (): Promise<Record<string, string>> => {
  const requestHeaders = await headers();
  const { secret, trustedProxies } = environment();
  const peer = requestHeaders.get(PEER_HEADER);
  const address = peer && trustedProxies.findClient(peer, requestHeaders.get("x-forwarded-for"));
  const userAgent = requestHeaders.get("user-agent");
  const device = await deviceToken();
  return {
    ...(userAgent && { "user-agent": userAgent }),
    ...(device && { [DEVICE_HEADER]: device }),
    ...(address && { [CLIENT_ADDRESS_HEADER]: signAddress(address, secret, Date.now()) }),
  };
});
