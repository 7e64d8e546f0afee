import type { Effects } from "../ports/effects";
import { hashSecret } from "../ports/hash";
import { newToken } from "../ports/new-token";
import { Refusal } from "../ports/refusal";

export interface PasswordResetStore {
  /** Takes the place of the member's earlier one. */
  insert(reset: { hash: string; userId: string; createdAtMs: number; expiresAtMs: number }): Promise<void>;
  /** Whose an unexpired one is. */
  find(hash: string, nowMs: number): Promise<{ userId: string } | null>;
  /** Deletes an unexpired one, in one step. @returns whose it was. */
  take(hash: string, nowMs: number): Promise<{ userId: string } | null>;
}

const RESET_MS = 60 * 60 * 1000;

/** Makes the token of a link for a new password: usable once, within an hour, and the only one of its member. */
export async function createPasswordReset(
  { passwordResets, effects }: { passwordResets: PasswordResetStore; effects: Effects },
  userId: string,
): Promise<{ token: string; expiresAtMs: number }> {
  const token = newToken("gp_", effects.random);
  const createdAtMs = effects.clock.nowMs();
  const expiresAtMs = createdAtMs + RESET_MS;
  await passwordResets.insert({ hash: hashSecret(token), userId, createdAtMs, expiresAtMs });
  return { token, expiresAtMs };
}

/**
 * Uses a token up. `check` refuses before that: a password it doesn't like leaves the link as good as it was.
 * @throws Refusal 400, the same for a token that is unknown, used, expired or replaced; and what `check` throws.
 */
export async function usePasswordReset(
  { passwordResets, effects }: { passwordResets: PasswordResetStore; effects: Effects },
  token: string,
  check: (userId: string) => void,
): Promise<{ userId: string }> {
  const [hash, nowMs] = [hashSecret(token), effects.clock.nowMs()];
  const found = await passwordResets.find(hash, nowMs);
  if (found) check(found.userId);
  const taken = await passwordResets.take(hash, nowMs);
  if (taken) return taken;
  const message = "This link was used, has expired or was replaced by a newer one. Ask for another.";
  throw new Refusal(400, "invalid_request_error", "invalid_password_reset", message, { param: "token" });
}
