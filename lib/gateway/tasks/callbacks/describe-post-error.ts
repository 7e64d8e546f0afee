import { AddressNotAllowed } from "../../http/outbound/allowed-addresses";
import { ResponseTimeout } from "../../http/outbound/request-once";
import { CallbackTargetFault } from "./callback-target";

const networkCauses: readonly [RegExp, (code: string) => string][] = [
  [/REFUSED/, () => "The receiver refused the connection. Start it, or correct its address."],
  [
    /ENOTFOUND|EAI_AGAIN|ENODATA|DNS/,
    () => "The receiver’s host can’t be found. Correct its address or the name server.",
  ],
  [
    /UNREACH|ETIMEDOUT|ENETDOWN/,
    () => "The receiver can’t be reached over the network. Check its address and the firewall.",
  ],
  [
    /WRONG_VERSION/,
    () => "The receiver does not speak TLS at this port. Correct the port, or its http or https.",
  ],
  [
    /CERT|SELF_SIGNED|SSL|TLS|VERIFY/,
    (code) =>
      `The receiver’s certificate is not accepted (${code}). Renew it, or make the gateway’s machine trust its issuer.`,
  ],
  [
    /ECONNRESET|EPIPE|ConnectionClosed/,
    () => "The receiver closed the connection before it answered. Look in its log.",
  ],
  [/^HPE_|PARSE/i, () => "The receiver’s answer was not HTTP. Check its address and port."],
];

/** Why a callback got no reply, and what to do about it. */
export function describePostError(error: unknown): string {
  if (error instanceof ResponseTimeout) {
    return `The receiver gave ${lowerFirst(error.message)}. Let it answer before it starts its work.`;
  }
  if (error instanceof AddressNotAllowed) return `${error.message}.`;
  if (error instanceof CallbackTargetFault) return `The receiver’s address ${error.message}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = networkCauses.find(([pattern]) => pattern.test(code));
  if (known) return known[1](code);
  return error instanceof Error ? error.message : String(error);
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
