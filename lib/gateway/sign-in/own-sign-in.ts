import type { Caller } from "../access/caller";
import type { ChangeRequest } from "../changes/change";
import { findUser, type UserCache } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { invalid, Refusal } from "../refusal";
import { attemptRules } from "./attempt-rules";
import { logFailedSignIn } from "./log-failed-sign-in";
import type { SignInContext } from "./sign-in-context";

/** The ways in which a member can sign in. */
interface SignInSettings {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  /** Null if two-factor sign-in is off. */
  readonly backupCodesLeft: number | null;
  readonly hasSingleSignOn: boolean;
}

/**
 * The calling member.
 * @throws Refusal 400 for a key, and for a session opened with a key, since those have no password.
 */
export function findCallingMember({ holder }: Caller, userCache: UserCache): UserRecord {
  if (holder.kind === "user") return findUser(userCache, holder.id);
  throw invalid(
    "authorization",
    "Only a member who signed in as themselves has these settings; this is a key.",
  );
}

/** How the calling member signs in. @throws Refusal 400 as `findCallingMember`. */
export async function readSignInSettings(
  { credentials, credentialStore, identities, userCache }: SignInContext,
  caller: Caller,
): Promise<SignInSettings> {
  const { id, email } = findCallingMember(caller, userCache);
  const record = await credentialStore.find(id);
  const hasTwoFactor = record?.hasTwoFactor ?? false;
  return {
    email,
    hasPassword: record?.hasPassword ?? false,
    hasTwoFactor,
    backupCodesLeft: hasTwoFactor ? await credentials.backupCodesLeft(id) : null,
    hasSingleSignOn: await identities.isLinked(id),
  };
}

/**
 * Verifies the calling member's password again. Wrong ones are counted per session, so that strangers can't use up
 * these attempts.
 * @returns the member.
 * @throws Refusal 400 as `findCallingMember` and for a wrong password; 429 after too many.
 */
export async function reauthenticate(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  password: string,
  param = "password",
): Promise<UserRecord> {
  const user = findCallingMember(caller, context.userCache);
  const name = `password in ${caller.id}`;
  const attempt = await context.attempts.count([{ name, rule: attemptRules.ownDevice }]);
  if (await context.credentialStore.verifyPassword(user.id, password)) {
    await attempt.takeBack();
    return user;
  }
  logFailedSignIn(context, request, user);
  const message = "This is not your current password.";
  throw new Refusal(400, "invalid_request_error", "invalid_credentials", message, { param });
}

/** 400: this installation does not support it. */
export function notConfigured(message: string): Refusal {
  return new Refusal(400, "invalid_request_error", "not_configured", message);
}
