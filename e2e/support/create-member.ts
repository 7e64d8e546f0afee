import { machineEffects } from "@/lib/gateway/main/effects";
import { openDataFolder } from "@/lib/gateway/main/open-stores";
import { createUser } from "@/lib/gateway/members/create-user";
import { UserBook } from "@/lib/gateway/members/user-book";
import type { Effects } from "@/lib/gateway/ports/effects";
import { SessionBook } from "@/lib/gateway/sessions/session-book";
import { startSession } from "@/lib/gateway/sessions/start-session";
import { createSqliteRoleStore } from "@/lib/gateway/store/sqlite-role-store";
import { createSqliteSessionStore } from "@/lib/gateway/store/sqlite-session-store";
import { createSqliteUserStore } from "@/lib/gateway/store/sqlite-user-store";

export interface Member {
  readonly id: string;
  /** Of an open session. */
  readonly token: string;
}

/** Makes a member with roles and an open session in the data of a gateway that is closed. */
export async function createMember(
  dataFolder: string,
  name: string,
  held: readonly { roleId: string; projectId: string | null }[] = [],
  effects: Effects = machineEffects,
): Promise<Member> {
  const database = await openDataFolder(dataFolder);
  const [users, sessions, roles] = [
    createSqliteUserStore(database),
    createSqliteSessionStore(database),
    createSqliteRoleStore(database),
  ];
  const userBook = new UserBook(await users.list());
  const { id } = await createUser({ users, userBook, effects }, { name, email: `${name}@example.com` });
  const principal = { kind: "user" as const, id };
  for (const projectId of new Set(held.map((role) => role.projectId))) {
    const here = held.filter((role) => role.projectId === projectId);
    const assignments = here.map((role) => ({ ...role, principal, createdAtMs: effects.clock.nowMs() }));
    await roles.replaceAssignments(principal, projectId, assignments);
  }
  const { token } = await startSession({ sessions, sessionBook: new SessionBook([]), effects }, principal);
  await database.destroy();
  return { id, token };
}
