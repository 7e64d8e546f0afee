import type { SessionStore } from "../access/session-store";
import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";

const LINK_MS = 60 * 60 * 1000;

/** Makes the token of a sign-in link: usable once, within an hour. */
export async function createSignInToken(
  { sessions, effects }: { sessions: SessionStore; effects: Effects },
  transaction: Transaction,
  adminKeyId: string,
): Promise<string> {
  const token = newToken("gl_", effects.random);
  const expiresAtMs = effects.clock.nowMs() + LINK_MS;
  await sessions.insertSignInToken(transaction, { hash: hashSecret(token), adminKeyId, expiresAtMs });
  return token;
}
