import { type LookupAddress, lookup } from "node:dns";
import http, { type ClientRequest } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "../http/public-address";
import { type CallbackTarget, hostOf } from "./callback-target";

/** A receiver's reply. */
export interface CallbackReply {
  readonly status: number;
  /** The header of that name. */
  readonly retryAfter: string | null;
}

/** Sends a message once. Rejects where no reply came. */
export type PostCallback = (
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<CallbackReply>;

/** Resolves a host's addresses or fails; the signature of `dns.lookup`. */
export type Resolve = (
  host: string,
  options: { all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const ANSWER_MS = 15_000;

/** Nothing was sent: the address is not on the public internet. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is at a private address and not in GATEHOUSE_CALLBACK_HOSTS`);
  }
}

/** The receiver accepted the message and didn't reply in time. */
export class AnswerTimeout extends Error {}

/**
 * Posts to one address directly, not through a proxy, so that the checked address is the one connected to. Does not
 * follow redirects.
 */
export function createPoster(
  { url, isTrusted }: CallbackTarget,
  { answerMs = ANSWER_MS, resolve = lookup }: { answerMs?: number; resolve?: Resolve } = {},
): PostCallback {
  const { request } = url.protocol === "https:" ? https : http;
  const isAllowed = (address: string) => isTrusted || isPublicAddress(address);
  return ({ headers, body }, signal) =>
    new Promise((succeed, fail) => {
      // An IP address needs no look-up.
      const host = hostOf(url);
      if (isIP(host) && !isAllowed(host)) return fail(new AddressRefused(host));
      const length = { "content-length": String(Buffer.byteLength(body)) };
      const call: ClientRequest = request({
        method: "POST",
        hostname: host,
        port: url.port,
        path: url.pathname + url.search,
        headers: { "content-type": "application/json", "user-agent": "Gatehouse", ...length, ...headers },
        lookup: guarded(resolve, isAllowed),
        agent: false,
        signal,
      });
      const timer = setTimeout(() => {
        call.destroy();
        fail(new AnswerTimeout(`No answer in ${answerMs / 1000} s`));
      }, answerMs);
      call.on("response", (reply) => {
        succeed({ status: reply.statusCode ?? 0, retryAfter: reply.headers["retry-after"] ?? null });
        reply.destroy();
      });
      call.on("error", fail);
      call.on("close", () => clearTimeout(timer));
      call.end(body);
    });
}

/**
 * A lookup for the connection itself that rejects forbidden addresses, so that the checked address is the one connected
 * to.
 */
function guarded(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (host, { all }, answer) =>
    resolve(host, { all: true }, (error, addresses) => {
      if (error) return answer(error, []);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) return answer(new AddressRefused(host), []);
      return all ? answer(null, allowed) : answer(null, first.address, first.family);
    });
}
