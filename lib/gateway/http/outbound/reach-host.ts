import { readHostname } from "./read-hostname";

/** If a proxy is configured, only the proxy can tell whether a server is reachable. */
const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

export function isBehindProxy(): boolean {
  return PROXY_VARIABLES.some((name) => process.env[name]);
}

const idleHandlers = { data() {}, error() {} };

/**
 * Resolves once the server accepts a connection, which is closed at once. Rejects with the network's error, or with a
 * ConnectTimeout after `ms`.
 */
export async function reachHost(address: string, ms: number): Promise<void> {
  if (isBehindProxy()) return;
  const url = new URL(address);
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ConnectTimeout(`${address} accepted no connection in ${ms} ms`)),
    ms,
  );
  const connection = Bun.connect({
    hostname: readHostname(url),
    port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    socket: idleHandlers,
  }).then((socket) => socket.end());
  try {
    await Promise.race([connection, timeout]);
  } finally {
    clearTimeout(timer);
    connection.catch(() => {});
  }
}

/** Nothing accepted the connection in time; nothing was sent. */
export class ConnectTimeout extends Error {}
