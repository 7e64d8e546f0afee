import type { InviteRecord } from "./invite-store";

/** How an invitation stands. One that was accepted in time stays accepted. */
export function inviteStatus(
  { acceptedAtMs, expiresAtMs }: InviteRecord,
  nowMs: number,
): "pending" | "accepted" | "expired" {
  if (acceptedAtMs !== null) return "accepted";
  return expiresAtMs <= nowMs ? "expired" : "pending";
}
