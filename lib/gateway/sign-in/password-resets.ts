import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import { Refusal } from "../refusal";
import type { ActorRef } from "../roles/actor";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";

/** The member a link sets a new password for, and its maker; null if the member asked for it by mail. */
export interface PasswordReset {
  readonly userId: string;
  readonly maker: ActorRef | null;
}

/** One whose member's or maker's rights have changed since it was made counts as expired. */
export interface PasswordResetStore {
  /** Takes the place of the member's earlier one. */
  insert(
    transaction: Transaction,
    reset: PasswordReset & {
      readonly hash: string;
      readonly createdAtMs: number;
      readonly expiresAtMs: number;
    },
  ): Promise<void>;
  find(hash: string, nowMs: number): Promise<PasswordReset | null>;
  /** Deletes an unexpired one, in one step. */
  take(transaction: Transaction, hash: string, nowMs: number): Promise<PasswordReset | null>;
}

const RESET_MS = 60 * 60 * 1000;

/** Makes the token of a link for a new password: usable once, within an hour, and the only one of its member. */
export async function createPasswordReset(
  { passwordResets, effects }: { passwordResets: PasswordResetStore; effects: Effects },
  transaction: Transaction,
  reset: PasswordReset,
): Promise<{ token: string; expiresAtMs: number }> {
  const token = newToken("gp_", effects.random);
  const createdAtMs = effects.clock.nowMs();
  const expiresAtMs = createdAtMs + RESET_MS;
  await passwordResets.insert(transaction, { ...reset, hash: hashSecret(token), createdAtMs, expiresAtMs });
  return { token, expiresAtMs };
}

/** What a token is good for. @throws Refusal 400, the same for one that is unknown, used, expired, replaced or void. */
export async function findPasswordReset(
  { passwordResets, effects }: { passwordResets: PasswordResetStore; effects: Effects },
  token: string,
): Promise<PasswordReset> {
  const found = await passwordResets.find(hashSecret(token), effects.clock.nowMs());
  if (!found) throw invalidPasswordReset();
  return found;
}

/** Uses a token up, in a change. @throws Refusal 400 as `findPasswordReset` does. */
export async function usePasswordReset(
  { passwordResets, effects }: { passwordResets: PasswordResetStore; effects: Effects },
  transaction: Transaction,
  token: string,
): Promise<PasswordReset> {
  const taken = await passwordResets.take(transaction, hashSecret(token), effects.clock.nowMs());
  if (!taken) throw invalidPasswordReset();
  return taken;
}

/** 400, the same whatever is wrong with a link. */
export function invalidPasswordReset(): Refusal {
  const message =
    "This link was used, has expired or was replaced, or somebody's rights have changed since. Ask for another.";
  return new Refusal(400, "invalid_request_error", "invalid_password_reset", message, { param: "token" });
}
