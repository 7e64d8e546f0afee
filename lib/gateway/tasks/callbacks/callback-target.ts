import { isIP } from "node:net";
import { isPublicAddress, readHostname } from "../../http/outbound/allowed-addresses";
import { invalid } from "../../refusal";

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
