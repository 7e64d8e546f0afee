import { testRequest } from "@/lib/gateway/database/testing/open-temporary-database";
import { newAdminKey } from "@/lib/gateway/keys/admin-keys";
import { createKeyStore } from "@/lib/gateway/keys/key-store.sql";
import { machineRuntime } from "@/lib/gateway/main/machine-runtime";
import { openStoredData } from "../gateways/served-database";

/**
 * Creates an admin key with a role in the data of a closed gateway.
 * @returns the whole key.
 */
export async function createRoleKey(dataFolder: string, roleId: string): Promise<string> {
  const { reads, transactions, close } = await openStoredData(dataFolder);
  const { key, value } = newAdminKey(machineRuntime, { name: roleId, roleId, lifetimeSeconds: null });
  await transactions.run(testRequest.event, (transaction) =>
    createKeyStore(reads).insertAdminKey(transaction, key),
  );
  await close();
  return value;
}
