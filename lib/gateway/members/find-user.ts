import { notFound } from "../ports/refusal";
import type { UserBook } from "./user-book";
import type { UserRecord } from "./user-store";

/** @throws Refusal 404 when there is no such member. */
export function findUser(userBook: UserBook, id: string, param = "user_id"): UserRecord {
  const user = userBook.find(id);
  if (!user) throw notFound("user", id, param);
  return user;
}
