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
  const user = await insertUser(context, draft);
  context.userBook.put(user);
  return user;
}

/** The same with a store within a transaction: put the member into the book once that is committed. */
export async function insertUser(
  { users, userBook, effects }: Context,
  draft: { email: string; name: string },
): Promise<UserRecord> {
  const email = draft.email.toLowerCase();
  if (userBook.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
  const createdAtMs = effects.clock.nowMs();
  const user = {
    id: newId("user", createdAtMs, effects.random),
    email,
    name: draft.name,
    developerPersona: null,
    technicalLevel: null,
    createdAtMs,
  };
  await users.insert(user);
  return user;
}
