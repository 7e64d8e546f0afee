import { ownerRole } from "@/lib/contract/predefined-roles";
import type { Effects } from "../ports/effects";
import { createSignInToken } from "../sessions/create-sign-in-token";
import { createSqliteKeyStore } from "../store/sqlite-key-store";
import { createSqliteSessionStore } from "../store/sqlite-session-store";
import { openDataFolder } from "./open-stores";

/**
 * Makes a one-time sign-in link for the oldest admin key that holds Owner for good; a gateway may be running on the data folder meanwhile.
 * The token follows `#`, so no server logs it.
 * @returns null where there is no such key.
 */
export async function makeSignInLink(
  dataFolder: string,
  consoleUrl: string,
  effects: Effects,
): Promise<string | null> {
  const database = await openDataFolder(dataFolder);
  try {
    const { adminKeys } = await createSqliteKeyStore(database).listActive();
    const [key] = adminKeys
      .filter(({ roleId, expiresAtMs }) => roleId === ownerRole.id && expiresAtMs === null)
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    if (!key) return null;
    const token = await createSignInToken({ sessions: createSqliteSessionStore(database), effects }, key.id);
    return `${consoleUrl}/sign-in#token=${token}`;
  } finally {
    await database.destroy();
  }
}
