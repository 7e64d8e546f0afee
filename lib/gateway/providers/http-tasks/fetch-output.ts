import { AddressNotAllowed, readHostname } from "../../http/outbound/allowed-addresses";
import { ServerConnection } from "../../http/outbound/server-connection";
import { openReply, type SentRequest } from "../../http/outbound/server-reply";
import { OutputMissing, UnusableOutput } from "../media-client";
import { streamFile } from "../read-reply";
import type { MappedServer } from "./task-requests";

const MAX_REDIRECTS = 3;
const MAX_ADDRESS_LENGTH = 8_192;
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
/** The provider is asked again for an address if the old one has expired, and for one that is not there yet. */
const MISSING = [401, 403, 404, 410];
const LATER = [408, 425, 429];

/**
 * Fetches a file from the address that a provider gave. Only the provider's own origin gets its key, and may be at a
 * private address as the provider may; other hosts must be public, or named in `outputs.private_hosts`.
 * @throws UnusableOutput for an address that may not be fetched; another error if it can be fetched later.
 */
export async function fetchOutput(
  server: MappedServer,
  ownConnection: ServerConnection,
  address: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  let url = readAddress(server, address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const send = () => buildRequest(server, ownConnection, url);
    const { reply, close } = await openReply(send, signal).catch((error) => {
      throw toFetchError(error, url);
    });
    if (reply.status === 200) return streamFile(reply, MAX_OUTPUT_BYTES, close);
    close();
    if (!REDIRECTS.includes(reply.status)) throw refusedBy(url, reply.status);
    url = readAddress(server, reply.header("location") ?? "", url);
  }
  throw new UnusableOutput(`The address of the file redirected more than ${MAX_REDIRECTS} times.`);
}

/** Fetches a file from a path of the provider, which may redirect elsewhere. */
export function fetchOwnOutput(
  server: MappedServer,
  ownConnection: ServerConnection,
  path: string,
  signal: AbortSignal,
) {
  return fetchOutput(server, ownConnection, `${server.baseUrl}${path}`, signal);
}

function readAddress({ baseUrl }: MappedServer, address: string, base?: URL): URL {
  const url = address.length <= MAX_ADDRESS_LENGTH ? URL.parse(address, base) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    throw new UnusableOutput(
      "The provider gave an address for the file that is not a valid http or https URL without credentials.",
    );
  if (url.protocol === "http:" && new URL(baseUrl).protocol === "https:")
    throw new UnusableOutput(
      "The provider gave an address for the file that is not encrypted: http instead of https.",
    );
  return url;
}

function buildRequest(server: MappedServer, ownConnection: ServerConnection, url: URL): SentRequest {
  const base = new URL(server.baseUrl);
  const path = `${url.pathname}${url.search}`;
  const basePath = base.pathname.replace(/\/$/, "");
  if (url.origin === base.origin && path.startsWith(`${basePath}/`))
    return ownConnection.request({ method: "GET", path: path.slice(basePath.length) });
  const isTrusted =
    url.origin === base.origin
      ? server.isTrusted
      : (server.taskApi.outputs.private_hosts ?? []).includes(readHostname(url));
  const headers = { accept: "*/*", "accept-encoding": "identity", connection: "close" };
  return new ServerConnection({ baseUrl: url.origin, isTrusted }, headers).request({ method: "GET", path });
}

function toFetchError(error: unknown, url: URL): unknown {
  if (!(error instanceof AddressNotAllowed)) return error;
  return new UnusableOutput(
    `The file is at a private address, ${readHostname(url)}. The operator can allow it in outputs.private_hosts.`,
  );
}

function refusedBy({ hostname }: URL, status: number): Error {
  const message = `${hostname} answered ${status} instead of the file`;
  if (MISSING.includes(status)) return new OutputMissing(message);
  return status >= 500 || LATER.includes(status) ? new Error(message) : new UnusableOutput(`${message}.`);
}
