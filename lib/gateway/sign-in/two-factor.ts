import { createHash, hkdfSync } from "node:crypto";
import type { Caller } from "../access/caller";
import { type ChangeRequest, change } from "../changes/change";
import type { ClockAndRandom } from "../clock";
import { seal, unseal } from "../database/seal";
import { findManageableUser } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { conflict, Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import { createRandomText, Secret } from "../secrets/secret";
import type { TwoFactorRecord } from "./credential-store.sql";
import { findCallingMember, reauthenticate, type SignInContext } from "./sign-in-context";

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

const BACKUP_CODES = 10;
/** Lower-case letters and digits without those that look alike: 32 signs, so a byte chooses each without bias. */
const BACKUP_SIGNS = "abcdefghijkmnpqrstuvwxyz23456789";
/** A code is accepted one period of 30 s before and after its own, since clocks differ (RFC 6238, 5.2). */
const WINDOW = 1;

/** What seals a member's second factor in the database. */
interface SealContext {
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly runtime: ClockAndRandom;
}

/** The secret that a member's app and the gateway share. */
function createAppSecret({ random }: ClockAndRandom): Secret {
  return new Secret(createRandomText(random));
}

/** The Key URI for an app to be set up with. */
async function buildKeyUri(secret: Secret, email: string): Promise<string> {
  return (await openTotp(secret, email)).toString();
}

/** Whether an app with this secret shows the code now. */
export async function isAppCode(secret: Secret, code: string, nowMs: number): Promise<boolean> {
  const totp = await openTotp(secret, "");
  return totp.validate({ token: code, timestamp: nowMs, window: WINDOW }) !== null;
}

/** Loads the library with the first second factor: SHA-1, six digits, 30 s, which all apps know. */
async function openTotp(secret: Secret, label: string) {
  const otpauth = await import("otpauth");
  return new otpauth.TOTP({
    issuer: "Gatehouse",
    label,
    secret: otpauth.Secret.fromUTF8(secret.reveal()),
    algorithm: "SHA1",
    digits: 6,
    period: 30,
  });
}

/** Ten codes of 50 random bits, such as `k3vqm-7xw2p`. */
function createBackupCodes({ random }: ClockAndRandom): string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const signs = [...random(10)].map((byte) => BACKUP_SIGNS[byte % BACKUP_SIGNS.length]).join("");
    return `${signs.slice(0, 5)}-${signs.slice(5)}`;
  });
}

/** Encrypts a second factor's secret, or its backup codes as JSON, for one member's row. */
function sealFactor(text: Secret, userId: string, { secret, runtime }: SealContext): string {
  return seal(text, rowOf(userId), { key: secret, random: runtime.random });
}

/** Opens the result of `sealFactor`, or a text of a version before it. @throws SealBrokenError */
export async function openFactor(sealed: string, userId: string, { secret }: SealContext): Promise<Secret> {
  return /^[0-9a-f]+$/.test(sealed)
    ? openEarlierFactor(sealed, secret)
    : unseal(sealed, rowOf(userId), secret);
}

function rowOf(userId: string): string {
  return `second factor of ${userId}`;
}

/** Second factors were encrypted with XChaCha20-Poly1305 at first: in hexadecimal, a nonce of 24 bytes goes ahead. */
async function openEarlierFactor(sealed: string, secret: Uint8Array): Promise<Secret> {
  const { xchacha20poly1305 } = await import("@noble/ciphers/chacha.js");
  const text = Buffer.from(hkdfSync("sha256", secret, "", "gatehouse sign-in", 32)).toString("base64");
  const key = new Uint8Array(createHash("sha256").update(text).digest());
  const bytes = Uint8Array.fromHex(sealed);
  const plain = xchacha20poly1305(key, bytes.subarray(0, 24)).decrypt(bytes.subarray(24));
  return new Secret(new TextDecoder().decode(plain));
}
