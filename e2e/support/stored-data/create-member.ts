import { newSession } from "@/lib/gateway/access/start-session";
import type { Effects } from "@/lib/gateway/effects";
import { machineEffects } from "@/lib/gateway/main/machine-effects";
import { newUser } from "@/lib/gateway/members/new-user";
import { UserMirror } from "@/lib/gateway/members/user-mirror";
import { openDataFolder } from "@/lib/gateway/store/data-folder/open-connections";
import { createSqliteRoleStore } from "@/lib/gateway/store/people/sqlite-role-store";
import { createSqliteUserStore } from "@/lib/gateway/store/people/sqlite-user-store";
import { createSqliteSessionStore } from "@/lib/gateway/store/sign-in/sqlite-session-store";
import { testRequest } from "@/lib/gateway/store/testing/open-temporary-database";

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
  effects: Effects = machineEffects,
): Promise<Member> {
  const { reads, transactions, close } = await openDataFolder(dataFolder);
  const [users, sessions, roles] = [
    createSqliteUserStore(reads),
    createSqliteSessionStore(reads),
    createSqliteRoleStore(reads),
  ];
  const userMirror = new UserMirror(await users.list());
  const user = newUser({ userMirror, effects }, { name, email: `${name}@example.com` });
  const principal = { kind: "user" as const, id: user.id };
  const { session, token } = newSession(effects, principal, null);
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
