import { type StartedGatehouse, startGatehouse } from "./start-gatehouse";
import { findQuietPort } from "./start-program";

/** A console for whatever gateway a test starts at the port. */
export type Elsewhere = StartedGatehouse & { gatewayPort: number };

export async function startElsewhere(): Promise<Elsewhere> {
  const gatewayPort = await findQuietPort();
  const gatehouse = await startGatehouse({ GATEWAY_URL: `http://127.0.0.1:${gatewayPort}` });
  return { ...gatehouse, gatewayPort };
}
