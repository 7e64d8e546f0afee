import { isIP, type LookupFunction } from "node:net";
import {
  type AddressRule,
  findAllowedAddresses,
  type ResolveHost,
} from "../../http/outbound/allowed-addresses";
import { isPublicAddress } from "../../http/outbound/public-address";
import { readHostname } from "../../http/outbound/read-hostname";
import { requestOnce } from "../../http/outbound/request-once";
import type { CallbackTarget } from "./callback-target";

/** A receiver's reply. */
export interface CallbackReply {
  readonly status: number;
  /** The value of the header `Retry-After`. */
  readonly retryAfter: string | null;
}

/** Sends a message once. Rejects if no reply arrived. */
export type PostCallback = (
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<CallbackReply>;

/** Much less than `CALLBACK_CLAIM_MS`: while a message is sent, its claim must not expire. */
const ANSWER_MS = 15_000;

/**
 * Creates a function that posts to one address. The connection itself resolves the host, so that the checked address is
 * the one it connects to.
 */
export function createPoster(
  { url, isTrusted }: CallbackTarget,
  { answerMs = ANSWER_MS, resolve }: { answerMs?: number; resolve?: ResolveHost } = {},
): PostCallback {
  const rule: AddressRule = {
    isAllowed: (address) => isTrusted || isPublicAddress(address),
    refusal: (host) => `${host} is at a private address and not in GATEHOUSE_CALLBACK_HOSTS`,
    resolve,
  };
  const lookup: LookupFunction = (host, { all }, answer) => {
    findAllowedAddresses(host, rule).then(
      (addresses) =>
        all ? answer(null, [...addresses]) : answer(null, addresses[0].address, addresses[0].family),
      (error: Error) => answer(error, []),
    );
  };
  return async ({ headers, body }, signal) => {
    const host = readHostname(url);
    // For an IP address the connection does no lookup, so check it here.
    if (isIP(host)) await findAllowedAddresses(host, rule);
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const reply = await requestOnce({
      url,
      headers: { "content-type": "application/json", "user-agent": "Gatehouse", ...length, ...headers },
      body,
      lookup,
      timeoutMs: answerMs,
      signal,
    });
    return { status: reply.status, retryAfter: reply.headers["retry-after"] ?? null };
  };
}
