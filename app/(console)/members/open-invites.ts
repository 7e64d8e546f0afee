import type { Invite } from "@/lib/contract/operations/invites";

/**
 * The invitations somebody may still act on: pending ones, and those that ran out, unless the same person was invited
 * again or has joined since. `invites` are newest first.
 */
export function openInvites(invites: readonly Invite[], memberEmails: ReadonlySet<string>): Invite[] {
  const seen = new Set<string>();
  return invites.filter(({ email, status }) => {
    const isLatest = !seen.has(email);
    seen.add(email);
    return status === "pending" || (status === "expired" && isLatest && !memberEmails.has(email));
  });
}
