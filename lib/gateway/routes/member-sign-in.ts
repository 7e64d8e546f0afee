import type { SignInSettings } from "@/lib/contract/operations/two-factor";
import type { Caller } from "../access/caller";
import type { ChangeRequest } from "../changes/change";
import { findUser } from "../members/find-user";
import type { UserMirror } from "../members/user-mirror";
import type { UserRecord } from "../members/user-store";
import { invalid, Refusal } from "../refusal";
import { attemptRules } from "../sign-in/attempt-rules";
import type { Attempts } from "../sign-in/attempts";
import type { CredentialStore, Credentials } from "../sign-in/credentials";
import type { IdentityStore } from "../sign-in/identities";

/** Logs that somebody knew a member's address and not the rest. Nobody waits for it: the time would tell of the member. */
export type NoteFailedSignIn = (request: ChangeRequest, user: UserRecord) => void;

/** The member who asks. @throws Refusal 400 for a key, and for a session opened with one: those have no password. */
export function memberOf({ holder }: Caller, userMirror: UserMirror): UserRecord {
  if (holder.kind === "user") return findUser(userMirror, holder.id);
  throw invalid(
    "authorization",
    "Only a member who signed in as themselves has these settings; this is a key.",
  );
}

/** 400: this installation doesn't offer it. */
export function notConfigured(message: string): Refusal {
  return new Refusal(400, "invalid_request_error", "not_configured", message);
}

/**
 * Asks whoever is signed in for their password once more. Their slips are counted by the session, out of a stranger's reach.
 * @throws Refusal 400 where it is not the member's password, 429 after too many.
 */
export async function provePassword(
  {
    credentialStore,
    attempts,
    noteFailedSignIn,
  }: { credentialStore: CredentialStore; attempts: Attempts; noteFailedSignIn: NoteFailedSignIn },
  { caller, request }: { readonly caller: Caller; readonly request: ChangeRequest },
  user: UserRecord,
  password: string,
  param: string,
): Promise<void> {
  const attempt = await attempts.count([{ name: `password in ${caller.id}`, rule: attemptRules.ownDevice }]);
  if (await credentialStore.verifyPassword(user.id, password)) return attempt.takeBack();
  noteFailedSignIn(request, user);
  const message = "This is not your current password.";
  throw new Refusal(400, "invalid_request_error", "invalid_credentials", message, { param });
}

/** How a member signs in. */
export async function settingsOf(
  {
    credentials,
    credentialStore,
    identities,
  }: { credentials: Credentials; credentialStore: CredentialStore; identities: IdentityStore },
  { id, email }: UserRecord,
): Promise<SignInSettings> {
  const record = await credentialStore.find(id);
  const hasTwoFactor = record?.hasTwoFactor ?? false;
  return {
    object: "organization.sign_in_settings",
    email,
    password: record?.hasPassword ?? false,
    two_factor: hasTwoFactor,
    backup_codes_left: hasTwoFactor ? await credentials.backupCodesLeft(id) : null,
    single_sign_on: await identities.isLinked(id),
  };
}
