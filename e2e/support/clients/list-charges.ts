import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { ServedGateway } from "../gateways/serve-gateway";
import { until } from "./until";

/** Returns the charges in the ledger, oldest first, at most a hundred. */
export async function listCharges(gateway: Pick<ServedGateway, "admin">): Promise<LedgerEntry[]> {
  const path = "/organization/ledger?kind=charge&limit=100";
  const { data } = await gateway.admin<{ data: LedgerEntry[] }>("GET", path);
  return data.toReversed();
}

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

/** Returns the amount that calls hold now, such as "0.00". */
export async function readHeld(gateway: Pick<ServedGateway, "admin">): Promise<string> {
  return (await gateway.admin<{ held: string }>("GET", "/organization/balance")).held;
}

/** Waits until nothing is held: a call that broke off is settled after its client has left. */
export async function untilNothingIsHeld(gateway: Pick<ServedGateway, "admin">): Promise<void> {
  await until("nothing is held", async () => Number(await readHeld(gateway)) === 0);
}
