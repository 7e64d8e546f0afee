import type { ServedGateway } from "../gateways/serve-gateway";

interface RunAsEvent {
  readonly type: string;
  readonly actor: object;
}

/** The events of calls that were run as a key, newest first. */
export async function listRunAsEvents({ admin }: Pick<ServedGateway, "admin">): Promise<RunAsEvent[]> {
  const address = "/organization/audit_logs?event_types[]=api_key.run_as&limit=100";
  return (await admin<{ data: RunAsEvent[] }>("GET", address)).data;
}
