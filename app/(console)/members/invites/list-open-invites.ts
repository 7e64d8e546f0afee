import type { Invite } from "@/lib/contract/operations/people/invites";

/**
 * Returns pending invitations, and expired ones unless the person was invited again or has joined since. `invites` must
 * be newest first.
 */
export function listOpenInvites(invites: readonly Invite[], memberEmails: ReadonlySet<string>): Invite[] {
  const seen = new Set<string>();
  return invites.filter(({ email, status }) => {
    const isLatest = !seen.has(email);
    seen.add(email);
    return status === "pending" || (status === "expired" && isLatest && !memberEmails.has(email));
  });
}
