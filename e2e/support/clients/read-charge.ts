import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { ServedGateway } from "../gateways/serve-gateway";
import { until } from "./until";

/**
 * Waits until a call is charged.
 * @returns the ledger's entry for it.
 */
export async function readCharge(
  gateway: Pick<ServedGateway, "admin">,
  requestId: string | null,
): Promise<LedgerEntry> {
  let charge: LedgerEntry | undefined;
  await until("the charge is in the ledger", async () => {
    const path = `/organization/ledger?kind=charge&request_id=${requestId}`;
    const { data } = await gateway.admin<{ data: LedgerEntry[] }>("GET", path);
    return (charge = data[0]) !== undefined;
  });
  return charge as LedgerEntry;
}
