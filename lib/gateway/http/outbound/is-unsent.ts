import { AddressNotAllowed } from "./allowed-addresses";
import { ConnectTimeout } from "./reach-host";

const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Whether an error proves that nothing was sent. */
export function isUnsent(error: unknown): boolean {
  if (error instanceof AddressNotAllowed || error instanceof ConnectTimeout) return true;
  return error instanceof Error && "code" in error && UNSENT.has(String(error.code));
}
