import type { LoggedRequest, RequestReceipt } from "@/lib/contract/operations/calls/requests";
import type { ServedGateway } from "../gateways/serve-gateway";
import { send } from "./send";
import { until } from "./until";

/** Returns how the calls in the log ended, at most a hundred, newest first; calls of one moment are in any order. */
export async function listOutcomes(gateway: Pick<ServedGateway, "admin">): Promise<string[]> {
  const path = "/organization/requests?limit=100";
  const { data } = await gateway.admin<{ data: LoggedRequest[] }>("GET", path);
  return data.map(({ outcome }) => outcome);
}

/** Returns the receipt of a call, whose id is in its `x-request-id`. A refusal is stored some time after its reply. */
export async function readReceipt(
  { baseUrl, adminKey }: Pick<ServedGateway, "baseUrl" | "adminKey">,
  requestId: string | null,
): Promise<RequestReceipt> {
  const url = `${baseUrl}/organization/requests/${requestId}`;
  let found = await send(url, { key: adminKey });
  await until(`there is a receipt of ${requestId}`, async () => {
    found = await send(url, { key: adminKey });
    return found.status !== 404;
  });
  if (found.status !== 200) throw new Error(`${requestId}: ${found.status} ${found.error.message}`);
  return found.body as unknown as RequestReceipt;
}
