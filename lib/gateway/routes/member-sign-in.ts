import type { Caller } from "../auth/caller";
import { findUser } from "../members/find-user";
import type { UserBook } from "../members/user-book";
import type { UserRecord } from "../members/user-store";
import { invalid, Refusal } from "../ports/refusal";

/** Logs that somebody knew a member's address and not the rest. Nobody waits for it: the time would tell of the member. */
export type NoteFailedSignIn = (user: UserRecord) => void;

/** The member who asks. @throws Refusal 400 for a key, and for a session opened with one: those have no password. */
export function memberOf({ holder }: Caller, userBook: UserBook): UserRecord {
  if (holder.kind === "user") return findUser(userBook, holder.id);
  throw invalid(
    "authorization",
    "Only a member who signed in as themselves has these settings; this is a key.",
  );
}

/** 400: this installation doesn't offer it. */
export function notConfigured(message: string): Refusal {
  return new Refusal(400, "invalid_request_error", "not_configured", message);
}
