import { existsSync } from "node:fs";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { createSessionStore } from "../access/session-store.sql";
import { BY_SYSTEM } from "../changes/change";
import { openDataFolder } from "../database/data-folder/open-connections";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import type { Effects } from "../effects";
import { createKeyStore } from "../keys/key-store.sql";
import { makeSignInToken } from "../sign-in/key-sign-in";

/**
 * Makes a one-time sign-in link for the oldest non-expiring Owner key, even while a gateway runs on the data folder.
 * The token follows `#`, so no server logs it.
 * @returns null if there is no such key.
 */
export async function makeSignInLink(
  dataFolder: string,
  consoleUrl: string,
  effects: Effects,
): Promise<string | null> {
  if (!existsSync(buildDatabasePath(dataFolder))) return null;
  const { reads, transactions, close } = await openDataFolder(dataFolder);
  try {
    const { adminKeys } = await createKeyStore(reads).listActive();
    const [key] = adminKeys
      .filter(({ roleId, expiresAtMs }) => roleId === ownerRole.id && expiresAtMs === null)
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    if (!key) return null;
    const event = { ...BY_SYSTEM, type: otherEvents.systemChanged, atMs: effects.clock.nowMs() };
    const token = await transactions.run(event, (transaction) =>
      makeSignInToken({ sessions: createSessionStore(reads), effects }, transaction, key.id),
    );
    return `${consoleUrl}/sign-in#token=${token}`;
  } finally {
    await close();
  }
}
