import { newId } from "@/lib/contract/ids";
import { ownerRole } from "@/lib/contract/predefined-roles";
import { createAdminKey } from "../keys/create-admin-key";
import { Keyring } from "../keys/keyring";
import type { Effects } from "../ports/effects";
import { createProject } from "../projects/create-project";
import { createSignInToken } from "../sessions/create-sign-in-token";
import type { Database } from "../store/database";
import { createSqliteKeyStore } from "../store/sqlite-key-store";
import { createSqliteProjectStore } from "../store/sqlite-project-store";
import { createSqliteSessionStore } from "../store/sqlite-session-store";

/** What the first start prints once. */
export interface FirstStart {
  /** Null where the key was given in the environment. */
  readonly adminKey: string | null;
  readonly signInToken: string;
}

const CURRENCY = "USD";

/** Fills an empty database: the organization, a first project, the first admin key and a sign-in token; all or nothing. */
export async function makeFirstStart(
  database: Database,
  effects: Effects,
  givenAdminKey: string | null,
): Promise<FirstStart> {
  return database.transaction().execute(async (transaction) => {
    const [keys, sessions, projects] = [
      createSqliteKeyStore(transaction),
      createSqliteSessionStore(transaction),
      createSqliteProjectStore(transaction),
    ];
    const keyring = new Keyring({ projectKeys: [], adminKeys: [] });
    const draft = {
      name: "First admin key",
      roleId: ownerRole.id,
      given: givenAdminKey,
      lifetimeSeconds: null,
    };
    const { key, value } = await createAdminKey({ keys, keyring, effects }, draft);
    const signInToken = await createSignInToken({ sessions, effects }, key.id);
    await createProject({ projects, effects }, { name: "Default project" });
    const now = effects.clock.nowMs();
    const organization = { id: newId("org", now, effects.random), name: "Organization", currency: CURRENCY };
    await transaction
      .insertInto("organizations")
      .values({ ...organization, created_at_ms: now })
      .execute();
    return { adminKey: givenAdminKey === null ? value : null, signInToken };
  });
}
