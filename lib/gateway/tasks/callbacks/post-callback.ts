import { createHmac, hkdfSync } from "node:crypto";
import { isIP, type LookupFunction } from "node:net";
import { DAY_MS } from "@/lib/contract/durations";
import {
  AddressNotAllowed,
  type AddressRule,
  findAllowedAddresses,
  isPublicAddress,
  type ResolveHost,
  readHostname,
} from "../../http/outbound/allowed-addresses";
import { ResponseTimeout, requestOnce } from "../../http/outbound/server-connection";
import { invalid } from "../../refusal";
import { Secret } from "../../secrets/secret";

const PREFIX = "whsec_";

/** The secret that signs callbacks, `whsec_…`: HKDF-SHA-256 of the gateway's secret, so it needs no storage. */
export function deriveCallbackSecret(key: Uint8Array, purpose = "gatehouse callback"): Secret {
  const bytes = new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), purpose, 32));
  return new Secret(PREFIX + bytes.toBase64());
}

/** For this long, a replaced secret signs together with its successors. */
const OVERLAP_MS = DAY_MS;

/** The number of a project's signing secret: 1 until its first replacement. */
export interface SecretVersion {
  readonly version: number;
  /**
   * The times of the project's rotations, newest first. Rotations whose replaced secrets no longer sign may be missing.
   */
  readonly rotationsMs: readonly number[];
}

/** The rotations whose replaced secrets still sign. */
export function listRecentRotations({ rotationsMs }: SecretVersion, nowMs: number): number[] {
  return rotationsMs.filter((rotatedAtMs) => nowMs < rotatedAtMs + OVERLAP_MS);
}

/** Returns the time until which the previous secret also signs; null if it no longer does. */
export function computeOverlapEndMs(current: SecretVersion, nowMs: number): number | null {
  const [last] = listRecentRotations(current, nowMs);
  return last === undefined ? null : last + OVERLAP_MS;
}

/**
 * The project's secrets that sign now, the present one first. They are derived from the gateway's secret, and never
 * stored.
 */
export function projectSecrets(
  key: Uint8Array,
  projectId: string,
  current: SecretVersion,
  nowMs: number,
): readonly [Secret, ...Secret[]] {
  const deriveSecret = (version: number) =>
    deriveCallbackSecret(key, `gatehouse callback ${projectId} ${version}`);
  const replacedSecrets = listRecentRotations(current, nowMs).map((_, index) =>
    deriveSecret(current.version - 1 - index),
  );
  return [deriveSecret(current.version), ...replacedSecrets];
}

/** The headers of one try, by Standard Webhooks 1.0. Each secret's signature covers id, time and body. */
export function signCallback(
  secrets: Secret | readonly Secret[],
  { id, body, atMs }: { id: string; body: string; atMs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = [secrets].flat().map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/** A receiver's reply. */
export interface CallbackReply {
  readonly status: number;
  /** The value of the header `Retry-After`. */
  readonly retryAfter: string | null;
}

/** Sends a message once. Rejects if no reply arrived. */
type PostCallback = (
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

/** A message's destination, and the secrets it is signed with. */
export interface CallbackReceiver {
  readonly post: PostCallback;
  readonly secrets: Secret | readonly Secret[];
}

/** A message at the time of one try. */
interface SignedMessage {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  readonly atMs: number;
}

/** Signs a message and sends it once. Returns the reply, or why there is no reply; never rejects. */
export async function postSigned(
  findReceiver: () => CallbackReceiver,
  message: SignedMessage,
  signal: AbortSignal,
): Promise<CallbackReply | string> {
  try {
    const { post, secrets } = findReceiver();
    return await post({ headers: signCallback(secrets, message), body: message.body }, signal);
  } catch (error) {
    return describePostError(error);
  }
}

/** Why a try failed; null for a delivered message. */
export function describeCallbackFailure(reply: CallbackReply | string): string | null {
  if (typeof reply === "string") return reply;
  return reply.status >= 200 && reply.status < 300 ? null : `The receiver answered ${reply.status}`;
}

/** The status of the reply; null without a reply. */
export function readCallbackStatus(reply: CallbackReply | string): number | null {
  return typeof reply === "string" ? null : reply.status;
}

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
function describePostError(error: unknown): string {
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

/** A callback's destination. */
export interface CallbackTarget {
  readonly url: URL;
  /** Whether its host may be at a private address and may use plain HTTP. */
  readonly isTrusted: boolean;
}

/** Why an address can't be used for callbacks. The message says how to correct it. */
export class CallbackTargetFault extends Error {}

/**
 * Parses a callback address. @throws CallbackTargetFault. Its messages never contain the address, which may include a
 * token.
 */
export function readCallbackTarget(address: string, trustedHosts: readonly string[]): CallbackTarget {
  if (!URL.canParse(address)) {
    throw new CallbackTargetFault("is no address: set it to one such as https://example.com/alerts.");
  }
  const url = new URL(address);
  const host = readHostname(url);
  const isTrusted = trustedHosts.includes(host);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new CallbackTargetFault(`begins with ${url.protocol}: set it to an https address.`);
  }
  if (url.username || url.password) {
    throw new CallbackTargetFault("holds a user name or password, which are not sent: leave them out.");
  }
  if (url.protocol === "http:" && !isTrusted) {
    throw new CallbackTargetFault(`is not https: make it so, or name ${host} in GATEHOUSE_CALLBACK_HOSTS.`);
  }
  if (isIP(host) && !isTrusted && !isPublicAddress(host)) {
    throw new CallbackTargetFault(`leads to a private address: name ${host} in GATEHOUSE_CALLBACK_HOSTS.`);
  }
  return { url, isTrusted };
}

/**
 * Returns the host in the spelling of URLs, without brackets or port; null for anything but a host name or IP address.
 */
export function readHost(text: string): string | null {
  const bracketedAddress = isIP(text) === 6 ? `[${text}]` : text;
  if (/[/?#@*\\\s]/.test(bracketedAddress) || !URL.canParse(`https://${bracketedAddress}`)) return null;
  const url = new URL(`https://${bracketedAddress}`);
  const hasPort = url.port !== "" || /:\d*$/.test(bracketedAddress.replace(/^\[.*\]/, ""));
  return hasPort ? null : readHostname(url);
}

/** Parses the field `callback_url`. @throws Refusal 400 for an address that callbacks may not go to. */
export function readCallbackUrl(address: string, trustedHosts: readonly string[]): CallbackTarget {
  try {
    return readCallbackTarget(address, trustedHosts);
  } catch (error) {
    if (!(error instanceof CallbackTargetFault)) throw error;
    throw invalid("callback_url", `callback_url ${error.message}`);
  }
}
