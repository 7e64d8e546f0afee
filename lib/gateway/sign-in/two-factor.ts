import type { Caller } from "../access/caller";
import { type ChangeRequest, change } from "../changes/change";
import { findManageableUser } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { conflict, Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import { Secret } from "../secrets/secret";
import type { TwoFactorRecord } from "./credential-store.sql";
import {
  buildKeyUri,
  createAppSecret,
  createBackupCodes,
  isAppCode,
  openFactor,
  sealFactor,
} from "./one-time-codes";
import { findCallingMember, reauthenticate } from "./reauthenticate";
import type { SignInContext } from "./sign-in-context";

/** A second factor that is not confirmed yet. */
interface TwoFactorDraft {
  /** The Key URI for setting up an authenticator app. */
  readonly otpauthUri: string;
  readonly backupCodes: readonly string[];
}

/** Begins to set up a second factor, which is on once a code has been confirmed. @throws Refusal 400, 409, 429. */
export async function startTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  password: string,
): Promise<TwoFactorDraft> {
  const { id, email } = await reauthenticate(context, request, caller, password);
  const secret = createAppSecret(context.runtime);
  const backupCodes = createBackupCodes(context.runtime);
  const otpauthUri = await buildKeyUri(secret, email);
  const draft = {
    sealedSecret: sealFactor(secret, id, context),
    sealedBackupCodes: sealBackupCodes(context, id, backupCodes),
  };
  const isDrafted = await change(context, request, (transaction) =>
    context.credentialStore.draftTwoFactor(transaction, id, draft),
  );
  if (isDrafted) return { otpauthUri, backupCodes };
  throw conflict("password", "Two-factor sign-in is on already. Turn it off to start over.", "in_use");
}

/** Turns the second factor on, and ends the member's other sessions. @throws Refusal 400 for a wrong code, 409. */
export async function confirmTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  code: string,
): Promise<void> {
  const { credentialStore, usedCodes, sessions, userCache, runtime } = context;
  const { id } = findCallingMember(caller, userCache);
  const draft = await credentialStore.findTwoFactor(id);
  if (!draft) throw notStarted();
  if (!(await isRightAppCode(context, id, draft, code))) throw wrongCode();
  await change(context, request, async (transaction) => {
    if (!(await credentialStore.confirmTwoFactor(transaction, id, draft))) throw notStarted();
    await usedCodes.use(transaction, id, `code ${code}`, runtime.clock.nowMs());
    await sessions.deleteOthers(transaction, { kind: "user", id }, caller.id);
  });
}

/** The ways in which a member can sign in. */
interface SignInSettings {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  /** Null if two-factor sign-in is off. */
  readonly backupCodesLeft: number | null;
  readonly hasSingleSignOn: boolean;
}

/** How the calling member signs in. @throws Refusal 400 as `findCallingMember`. */
export async function readSignInSettings(context: SignInContext, caller: Caller): Promise<SignInSettings> {
  const { credentialStore, identities, userCache } = context;
  const { id, email } = findCallingMember(caller, userCache);
  const factor = await credentialStore.findTwoFactor(id);
  return {
    email,
    hasPassword: await credentialStore.hasPassword(id),
    hasTwoFactor: factor?.isOn ?? false,
    backupCodesLeft: factor?.isOn ? (await openBackupCodes(context, id, factor)).length : null,
    hasSingleSignOn: await identities.isLinked(id),
  };
}

/**
 * Whether a member's app shows a code, or it is one of their backup codes, which is then used up. The caller refuses a
 * code of the app that was used before.
 */
export async function takeCode(
  context: SignInContext,
  request: ChangeRequest,
  userId: string,
  code: string,
): Promise<boolean> {
  const { credentialStore } = context;
  const factor = await credentialStore.findTwoFactor(userId);
  if (!factor?.isOn) return false;
  if (/^\d{6}$/.test(code)) return isRightAppCode(context, userId, factor, code);
  // A wrong code begins no change, so that strangers don't delay those of others.
  if (!(await openBackupCodes(context, userId, factor)).includes(code)) return false;
  return change(context, request, async (transaction) => {
    // Another code may have been used since.
    const from = await credentialStore.findTwoFactor(userId);
    if (!from?.isOn) return false;
    const codes = await openBackupCodes(context, userId, from);
    if (!codes.includes(code)) return false;
    const left = codes.filter((other) => other !== code);
    const to = sealBackupCodes(context, userId, left);
    return credentialStore.replaceBackupCodes(transaction, userId, { from, to });
  });
}

async function isRightAppCode(
  context: SignInContext,
  userId: string,
  { sealedSecret }: TwoFactorRecord,
  code: string,
): Promise<boolean> {
  const secret = await openFactor(sealedSecret, userId, context);
  return isAppCode(secret, code, context.runtime.clock.nowMs());
}

function sealBackupCodes(context: SignInContext, userId: string, codes: readonly string[]): string {
  return sealFactor(new Secret(JSON.stringify(codes)), userId, context);
}

async function openBackupCodes(
  context: SignInContext,
  userId: string,
  { sealedBackupCodes }: TwoFactorRecord,
): Promise<string[]> {
  return JSON.parse((await openFactor(sealedBackupCodes, userId, context)).reveal());
}

/** Turns off the caller's own second factor. @throws Refusal 400, 404 if it is off, 429. */
export async function endOwnTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  password: string,
): Promise<void> {
  const user = await reauthenticate(context, request, caller, password);
  await removeTwoFactor(context, request, () => user);
}

/** Turns off a member's second factor. @throws Refusal 404; 403 for a member with more permissions than the actor. */
export function endUserTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  actor: Actor,
  userId: string,
): Promise<void> {
  return removeTwoFactor(context, request, () => findManageableUser(context, actor, userId));
}

function removeTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  find: () => UserRecord,
): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id, email } = find();
    if (await context.credentialStore.removeTwoFactor(transaction, id)) return;
    const message = `Two-factor sign-in is not on for ${email}.`;
    throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "user_id" });
  });
}

function notStarted(): Refusal {
  return conflict("code", "The setup of two-factor sign-in hasn't been started. Start it first.", "in_use");
}

function wrongCode(): Refusal {
  const message = "This code is wrong. Enter the six digits that the app shows now.";
  return new Refusal(400, "invalid_request_error", "invalid_code", message, { param: "code" });
}
