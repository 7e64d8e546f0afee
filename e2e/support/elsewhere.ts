import { type StartedGatehouse, startGatehouse } from "./start-gatehouse";
import { findQuietPort } from "./start-program";

/** A console for any gateway that a test starts on the given port. */
export type ConsoleElsewhere = StartedGatehouse & { gatewayPort: number };

export async function startElsewhere(): Promise<ConsoleElsewhere> {
  const gatewayPort = await findQuietPort();
  const gatehouse = await startGatehouse({ GATEWAY_URL: `http://127.0.0.1:${gatewayPort}` });
  return { ...gatehouse, gatewayPort };
}
