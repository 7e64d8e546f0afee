import { newId } from "@/lib/contract/ids";
import type { Effects } from "../ports/effects";
import { conflict } from "../ports/refusal";
import type { UserBook } from "./user-book";
import type { UserRecord, UserStore } from "./user-store";

interface Context {
  readonly users: UserStore;
  readonly userBook: UserBook;
  readonly effects: Effects;
}

/**
 * Makes a member, who holds nothing yet. `email` is a checked address in any case of letters.
 * @throws Refusal 409 when a member has the address.
 */
export async function createUser(
  context: Context,
  draft: { email: string; name: string },
): Promise<UserRecord> {
  const user = newUser(context, draft);
  await context.users.insert(user);
  context.userBook.put(user);
  return user;
}

/** The same, not yet stored. */
export function newUser(
  { userBook, effects }: Pick<Context, "userBook" | "effects">,
  draft: { email: string; name: string },
): UserRecord {
  const email = draft.email.toLowerCase();
  if (userBook.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
  const createdAtMs = effects.clock.nowMs();
  return {
    id: newId("user", createdAtMs, effects.random),
    email,
    name: draft.name,
    developerPersona: null,
    technicalLevel: null,
    createdAtMs,
  };
}
