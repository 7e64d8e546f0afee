import { within } from "../changes/transactions.sql";
import type { InviteStore } from "../people/invite-store.sql";
import type { MemberAdmission } from "../people/invites";
import type { UserStore } from "../people/user-store.sql";
import { insertSignInUser, putPassword } from "./credential-store.sql";

export function createSqliteMemberAdmission({
  invites,
  users,
}: {
  invites: InviteStore;
  users: UserStore;
}): MemberAdmission {
  return {
    async admit(transaction, inviteHash, { user, roles, passwordHash }) {
      const atMs = user.createdAtMs;
      if (!(await invites.accept(transaction, inviteHash, atMs))) return false;
      const queries = within(transaction);
      await users.insert(transaction, user);
      await insertSignInUser(queries, user, atMs);
      if (passwordHash !== null) await putPassword(queries, user.id, passwordHash, atMs);
      const membership = { user_id: user.id, group_id: null, created_at_ms: atMs };
      const rows = roles.map(({ roleId, projectId }) => ({
        ...membership,
        role_id: roleId,
        project_id: projectId,
      }));
      if (rows.length > 0) await queries.insertInto("role_assignments").values(rows).execute();
      return true;
    },
  };
}
