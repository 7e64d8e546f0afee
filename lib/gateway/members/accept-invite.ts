import type { Effects } from "../ports/effects";
import { hashSecret } from "../ports/hash";
import { Refusal } from "../ports/refusal";
import type { InviteRecord, InviteStore } from "./invite-store";

/**
 * Consumes an invitation, exactly once however many try. Give it a store within the transaction that makes the member: if
 * that fails, the invitation is as good as before.
 * @throws Refusal 400, the same for a token that is unknown, used, expired or withdrawn.
 */
export async function acceptInvite(
  { invites, effects }: { invites: InviteStore; effects: Effects },
  token: string,
): Promise<InviteRecord> {
  const invite = await invites.accept(hashSecret(token), effects.clock.nowMs());
  if (invite) return invite;
  const message = "This invitation was used, has expired or was withdrawn. Ask for a new one.";
  throw new Refusal(400, "invalid_request_error", "invalid_invite", message, { param: "token" });
}
