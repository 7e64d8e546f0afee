import type { MemberAdmission } from "../members/accept-invite";
import { hashPassword } from "../sign-in/password-hash";
import { insertSignInUser, putPassword } from "./credential-store";
import type { Database } from "./database";
import { createSqliteInviteStore } from "./sqlite-invite-store";
import { createSqliteUserStore } from "./sqlite-user-store";

export function createMemberAdmission(database: Database): MemberAdmission {
  return {
    async admit(inviteHash, { user, seats, password }) {
      const hash = password === null ? null : await hashPassword(password);
      const atMs = user.createdAtMs;
      return database.transaction().execute(async (transaction) => {
        if (!(await createSqliteInviteStore(transaction).accept(inviteHash, atMs))) return false;
        await createSqliteUserStore(transaction).insert(user);
        await insertSignInUser(transaction, user, atMs);
        if (hash !== null) await putPassword(transaction, user.id, hash, atMs);
        const of = { user_id: user.id, group_id: null, created_at_ms: atMs };
        const rows = seats.map(({ roleId, projectId }) => ({
          ...of,
          role_id: roleId,
          project_id: projectId,
        }));
        if (rows.length > 0) await transaction.insertInto("role_assignments").values(rows).execute();
        return true;
      });
    },
  };
}
