import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import type { ServedGateway } from "../gateways/serve-gateway";
import { until } from "./until";

/** Returns the charges in the ledger, oldest first, at most a hundred. */
export async function listCharges(gateway: Pick<ServedGateway, "admin">): Promise<LedgerEntry[]> {
  const path = "/organization/ledger?kind=charge&limit=100";
  const { data } = await gateway.admin<{ data: LedgerEntry[] }>("GET", path);
  return data.toReversed();
}

/** Returns the amount that calls hold now, such as "0.00". */
export async function readHeld(gateway: Pick<ServedGateway, "admin">): Promise<string> {
  return (await gateway.admin<{ held: string }>("GET", "/organization/balance")).held;
}

/** Waits until nothing is held: a call that broke off is settled after its client has left. */
export async function untilNothingIsHeld(gateway: Pick<ServedGateway, "admin">): Promise<void> {
  await until("nothing is held", async () => Number(await readHeld(gateway)) === 0);
}
