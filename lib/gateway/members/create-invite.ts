import { newId } from "@/lib/contract/ids";
import type { Effects } from "../ports/effects";
import { conflict } from "../ports/refusal";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import type { InviteRecord, InviteStore } from "./invite-store";
import type { UserBook } from "./user-book";

export const INVITE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Invites somebody: `token` is what the link carries, usable once within seven days, and nothing keeps it.
 * @throws Refusal 409 where a member has the address, and while another invitation to it is pending.
 */
export async function createInvite(
  { invites, userBook, effects }: { invites: InviteStore; userBook: UserBook; effects: Effects },
  draft: Pick<InviteRecord, "email" | "roleId" | "projects" | "inviter">,
): Promise<{ invite: InviteRecord; token: string }> {
  const createdAtMs = effects.clock.nowMs();
  const email = draft.email.toLowerCase();
  if (userBook.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
  if (await invites.findPendingOf(email, createdAtMs)) {
    throw conflict("email", `${email} is invited already; withdraw that invitation to send another.`);
  }
  const token = newToken("gi_", effects.random);
  const invite = {
    ...draft,
    id: newId("invite", createdAtMs, effects.random),
    email,
    hash: hashSecret(token),
    createdAtMs,
    expiresAtMs: createdAtMs + INVITE_MS,
    acceptedAtMs: null,
  };
  await invites.insert(invite);
  return { invite, token };
}
