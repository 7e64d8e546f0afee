import { HOUR_MS } from "@/lib/contract/durations";
import type { Transaction } from "../../changes/transaction";
import type { ClockAndRandom } from "../../clock";
import { Refusal } from "../../refusal";
import type { ActorRef } from "../../roles/actor";
import { hashSecret } from "../../secrets/hash-secret";
import { newToken } from "../../secrets/new-token";

/** The member whose password a link resets, and its maker; null for a link that the member requested by mail. */
export interface PasswordReset {
  readonly userId: string;
  readonly maker: ActorRef | null;
}

/** A reset is void once the permissions of its member or its maker have changed. */
export interface PasswordResetStore {
  /** Replaces the member's earlier reset. */
  insert(
    transaction: Transaction,
    reset: PasswordReset & {
      readonly hash: string;
      readonly createdAtMs: number;
      readonly expiresAtMs: number;
    },
  ): Promise<void>;
  /** Null for an expired or void one. */
  find(hash: string, nowMs: number): Promise<PasswordReset | null>;
  /** Deletes and returns a reset, atomically; null for an expired or void one. */
  take(transaction: Transaction, hash: string, nowMs: number): Promise<PasswordReset | null>;
}

/** The token of a link for a new password. */
export interface ResetToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

interface Context {
  readonly passwordResets: PasswordResetStore;
  readonly runtime: ClockAndRandom;
}

const RESET_MS = HOUR_MS;

/** Makes a token, within a change: usable once within an hour, and the member's only one. */
export async function makeResetToken(
  { passwordResets, runtime }: Context,
  transaction: Transaction,
  reset: PasswordReset,
): Promise<ResetToken> {
  const token = newToken("gp_", runtime.random);
  const createdAtMs = runtime.clock.nowMs();
  const expiresAtMs = createdAtMs + RESET_MS;
  await passwordResets.insert(transaction, { ...reset, hash: hashSecret(token), createdAtMs, expiresAtMs });
  return { token, expiresAtMs };
}

/** @throws Refusal 400, worded the same for an unknown, used, expired, replaced or void token. */
export async function findPasswordReset(
  { passwordResets, runtime }: Context,
  token: string,
): Promise<PasswordReset> {
  const reset = await passwordResets.find(hashSecret(token), runtime.clock.nowMs());
  if (!reset) throw invalidPasswordReset();
  return reset;
}

/** Uses up a token, within a change. @throws Refusal 400 as `findPasswordReset`. */
export async function takePasswordReset(
  { passwordResets, runtime }: Context,
  transaction: Transaction,
  token: string,
): Promise<PasswordReset> {
  const reset = await passwordResets.take(transaction, hashSecret(token), runtime.clock.nowMs());
  if (!reset) throw invalidPasswordReset();
  return reset;
}

/** 400, worded the same whatever is wrong with a link. */
export function invalidPasswordReset(): Refusal {
  const message =
    "This link was used, has expired or was replaced, or somebody's rights have changed since. Ask for another.";
  return new Refusal(400, "invalid_request_error", "invalid_password_reset", message, { param: "token" });
}
