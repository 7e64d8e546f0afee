import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { newId } from "@/lib/contract/ids";
import type { AuditContext } from "../audit/audit-context";
import type { Effects } from "../effects";
import { newAdminKey } from "../keys/create-admin-key";
import { newProject } from "../projects/create-project";
import { makeSignInToken } from "../sign-in/key-sign-in";
import type { Connections } from "../store/data-folder/open-connections";
import type { EmbeddedStores } from "./create-stores";

/** Secrets that the first start prints once. */
export interface FirstStart {
  /** Null if the environment supplied the key. */
  readonly adminKey: string | null;
  readonly signInToken: string;
}

type FirstStores = Pick<EmbeddedStores, "keys" | "sessions" | "projects" | "organizations"> &
  Pick<Connections, "transactions">;

const CURRENCY = "USD";

/** Fills an empty database atomically: the organization, a first project, the first admin key and a sign-in token. */
export function makeFirstStart(
  { keys, sessions, projects, organizations, transactions }: FirstStores,
  effects: Effects,
  event: AuditContext,
  givenAdminKey: string | null,
): Promise<FirstStart> {
  return transactions.run(event, async (transaction) => {
    const draft = { name: "First admin key", roleId: ownerRole.id, lifetimeSeconds: null };
    const { key, value } = newAdminKey(effects, draft, givenAdminKey);
    await keys.insertAdminKey(transaction, key);
    const signInToken = await makeSignInToken({ sessions, effects }, transaction, key.id);
    await projects.insert(transaction, newProject(effects, { name: "Default project" }));
    const now = effects.clock.nowMs();
    const organization = { id: newId("org", now, effects.random), name: "Organization", currency: CURRENCY };
    await organizations.insert(transaction, organization, now);
    return { adminKey: givenAdminKey === null ? value : null, signInToken };
  });
}
