import type { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { ConnectionCap } from "./connection-cap";

const POLL_MS = 1_000;

interface CapSettings {
  readonly maxConnectionsPerAddress: number;
  readonly trustedProxies: TrustedProxies;
}

/**
 * Limits each address to its share of the connections to `port`. Only logs a line where the system doesn't list its sockets.
 * @returns a function that stops it.
 */
export function capConnections(
  port: number,
  { maxConnectionsPerAddress, trustedProxies }: CapSettings,
  gateway: { portsUnderWay(): ReadonlySet<number> },
  log: (line: string) => void,
): () => void {
  let cap: ConnectionCap;
  try {
    cap = new ConnectionCap({
      port,
      maxPerCaller: maxConnectionsPerAddress,
      exempt: trustedProxies.entries,
      portsUnderWay: gateway.portsUnderWay,
      log,
    });
  } catch (error) {
    log(`Connections are not capped by address, since this system doesn't show them: ${String(error)}`);
    return () => {};
  }
  const timer = setInterval(() => cap.check(), POLL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    cap.close();
  };
}
