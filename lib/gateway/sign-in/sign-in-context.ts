import { otherEvents } from "@/lib/contract/access/audit-events";
import type { ActorContext } from "../access/authenticate";
import type { Caller } from "../access/caller";
import type { SessionContext } from "../access/sessions";
import { type ChangeContext, type ChangeRequest, change, withEventType } from "../changes/change";
import type { AdmissionContext } from "../people/invites";
import { findUser, type UserCache } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import type { ProjectStore } from "../projects/project-store.sql";
import { invalid, Refusal } from "../refusal";
import { type Attempts, attemptRules } from "./attempts";
import type { CredentialStore, IdentityStore } from "./credential-store.sql";
import type { OpenIdProvider } from "./openid-provider";
import type { DeviceStore, UsedCodes } from "./sign-in-state.sql";

/** What sign-in needs: members, credentials, and counted attempts. */
export interface SignInContext extends SessionContext, ActorContext, AdmissionContext {
  readonly attempts: Attempts;
  readonly devices: DeviceStore;
  readonly credentialStore: CredentialStore;
  readonly usedCodes: UsedCodes;
  readonly identities: IdentityStore;
  readonly projects: ProjectStore;
  /** Null if the organization has none. */
  readonly openIdProvider: OpenIdProvider | null;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly logFault: (where: string, error: unknown) => void;
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

interface Context extends ChangeContext {
  readonly credentialStore: CredentialStore;
  readonly logFault: (where: string, error: unknown) => void;
}

/**
 * Records a member's failed sign-in in the audit log. The reply does not wait for it, since the delay would reveal that
 * the address is a member's.
 */
export function logFailedSignIn(context: Context, request: ChangeRequest, user: UserRecord): void {
  const noted = change(context, withEventType(otherEvents.failedSignIn, request), (transaction) =>
    context.credentialStore.logFailedSignIn(transaction, user),
  );
  noted.catch((error: unknown) => context.logFault("audit log", error));
}
