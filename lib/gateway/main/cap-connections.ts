import { ConnectionCap } from "../connections/connection-cap";
import type { Settings } from "./environment";
import type { OpenGateway } from "./open-gateway";

const LOOK_MS = 1_000;

type Capped = Pick<Settings, "maxConnectionsPerAddress" | "trustedProxies">;

/**
 * Keeps every address to its share of the connections to `port`, where the system lets it be seen.
 * @returns a function that ends it.
 */
export function capConnections(
  port: number,
  { maxConnectionsPerAddress, trustedProxies }: Capped,
  gateway: Pick<OpenGateway, "portsUnderWay">,
  log: (line: string) => void,
): () => void {
  let cap: ConnectionCap;
  try {
    cap = new ConnectionCap({
      port,
      mostPerCaller: maxConnectionsPerAddress,
      exempt: trustedProxies.entries,
      portsUnderWay: gateway.portsUnderWay,
      log,
    });
  } catch (error) {
    log(`Connections are not capped by address, since this system doesn't show them: ${String(error)}`);
    return () => {};
  }
  const timer = setInterval(() => cap.look(), LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    cap.close();
  };
}
