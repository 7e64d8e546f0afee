import type { LoggedRequest, RequestReceipt } from "@/lib/contract/operations/calls/requests";
import type { ServedGateway } from "../gateways/serve-gateway";

/** Returns how the calls in the log ended, at most a hundred, newest first; calls of one moment are in any order. */
export async function listOutcomes(gateway: Pick<ServedGateway, "admin">): Promise<string[]> {
  const path = "/organization/requests?limit=100";
  const { data } = await gateway.admin<{ data: LoggedRequest[] }>("GET", path);
  return data.map(({ outcome }) => outcome);
}

/** Returns the receipt of a call, whose id is in its `x-request-id`. */
export function readReceipt(
  gateway: Pick<ServedGateway, "admin">,
  requestId: string | null,
): Promise<RequestReceipt> {
  return gateway.admin("GET", `/organization/requests/${requestId}`);
}
