import { createAdminKey } from "@/lib/gateway/keys/create-admin-key";
import { Keyring } from "@/lib/gateway/keys/keyring";
import { machineEffects } from "@/lib/gateway/main/effects";
import { openDataFolder } from "@/lib/gateway/main/open-stores";
import { createSqliteKeyStore } from "@/lib/gateway/store/sqlite-key-store";

/** Creates an admin key with a role in the data of a gateway that is closed. @returns the whole key. */
export async function createRoleKey(dataFolder: string, roleId: string): Promise<string> {
  const database = await openDataFolder(dataFolder);
  const keyring = new Keyring({ projectKeys: [], adminKeys: [] });
  const context = { keys: createSqliteKeyStore(database), keyring, effects: machineEffects };
  const { value } = await createAdminKey(context, {
    name: roleId,
    roleId,
    given: null,
    lifetimeSeconds: null,
  });
  await database.destroy();
  return value;
}
