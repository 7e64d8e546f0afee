import { firstRows, wholeList } from "@/components/queries/reads/whole-list";

export const membersRead = firstRows("listUsers", { order: "desc" });

/** Invitations that are still open, for people who can see them. */
export const invitesRead = firstRows("listInvites", { open: "true" });

/** Names and permissions of roles, for people who can see them. */
export const rolesRead = wholeList("listRoles");

/** Which roles members and groups hold, for people who can see it. */
export const holdersRead = wholeList("listRoleHolders");

/** Returns the reads of a member's page. */
export function memberReads(userId: string) {
  return {
    member: ["retrieveUser", { user_id: userId }],
    sessions: wholeList("listUserSessions", { user_id: userId }),
  } as const;
}

/** Returns the read of a member's roles in the organization, direct and through groups. */
export function heldRolesRead(userId: string) {
  return wholeList("listUserRoles", { user_id: userId });
}
