import { newId } from "@/lib/contract/ids";
import type { Effects } from "../ports/effects";
import { conflict } from "../ports/refusal";
import type { UserBook } from "./user-book";
import type { UserRecord, UserStore } from "./user-store";

/**
 * Makes a member, who holds nothing yet. `email` is a checked address in any case of letters.
 * @throws Refusal 409 when a member has the address.
 */
export async function createUser(
  { users, userBook, effects }: { users: UserStore; userBook: UserBook; effects: Effects },
  draft: { email: string; name: string },
): Promise<UserRecord> {
  const email = draft.email.toLowerCase();
  if (userBook.findByEmail(email)) {
    throw conflict("email", `${email} belongs to a member already.`);
  }
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
  userBook.put(user);
  return user;
}
