import { createSessionStore } from "@/lib/gateway/access/session-store.sql";
import { newSession } from "@/lib/gateway/access/sessions";
import type { ClockAndRandom } from "@/lib/gateway/clock";
import { testRequest } from "@/lib/gateway/database/testing/open-temporary-database";
import { machineRuntime } from "@/lib/gateway/main/machine-runtime";
import { newUser, UserCache } from "@/lib/gateway/people/members";
import { createUserStore } from "@/lib/gateway/people/user-store.sql";
import { createRoleStore } from "@/lib/gateway/roles/role-store.sql";
import { openStoredData } from "../gateways/served-database";

export interface Member {
  readonly id: string;
  /** The token of an open session. */
  readonly token: string;
}

/** Creates a member with roles and an open session in the data of a closed gateway. */
export async function createMember(
  dataFolder: string,
  name: string,
  held: readonly { roleId: string; projectId: string | null }[] = [],
  runtime: ClockAndRandom = machineRuntime,
): Promise<Member> {
  const { reads, transactions, close } = await openStoredData(dataFolder);
  const [users, sessions, roles] = [
    createUserStore(reads),
    createSessionStore(reads),
    createRoleStore(reads),
  ];
  const userCache = new UserCache(await users.list());
  const user = newUser({ userCache, runtime }, { name, email: `${name}@example.com` });
  const principal = { kind: "user" as const, id: user.id };
  const { session, token } = newSession(runtime, principal, null);
  await transactions.run(testRequest.event, async (transaction) => {
    await users.insert(transaction, user);
    for (const projectId of new Set(held.map((role) => role.projectId))) {
      const here = held.filter((role) => role.projectId === projectId);
      const assignments = here.map((role) => ({ ...role, principal, createdAtMs: user.createdAtMs }));
      await roles.replaceAssignments(transaction, principal, projectId, assignments);
    }
    await sessions.insert(transaction, session);
  });
  await close();
  return { id: user.id, token };
}
