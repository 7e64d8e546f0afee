import type { Caller } from "../access/caller";
import { type ChangeRequest, change } from "../changes/change";
import { findManageableUser } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import type { TwoFactorDraft } from "./credentials";
import { findCallingMember, reauthenticate } from "./own-sign-in";
import type { SignInContext } from "./sign-in-context";

/** Begins to set up a second factor, which is on once a code has been confirmed. @throws Refusal 400, 409, 429. */
export async function startTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  password: string,
): Promise<TwoFactorDraft> {
  const user = await reauthenticate(context, request, caller, password);
  return context.credentials.startTwoFactor((work) => change(context, request, work), user.id);
}

/** Turns the second factor on, and ends the member's other sessions. @throws Refusal 400 for a wrong code, 409. */
export async function confirmTwoFactor(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  code: string,
): Promise<void> {
  const { credentials, usedCodes, sessions, userCache, runtime } = context;
  const { id } = findCallingMember(caller, userCache);
  const isRight = await credentials.confirmTwoFactor((work) => change(context, request, work), id, code);
  if (!isRight) throw wrongCode();
  await change(context, request, async (transaction) => {
    await usedCodes.use(transaction, id, `code ${code}`, runtime.clock.nowMs());
    await sessions.deleteOthers(transaction, { kind: "user", id }, caller.id);
  });
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
  const { credentialStore, runtime } = context;
  return change(context, request, async (transaction) => {
    const { id, email } = find();
    if (await credentialStore.removeTwoFactor(transaction, id, runtime.clock.nowMs())) return;
    const message = `Two-factor sign-in is not on for ${email}.`;
    throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "user_id" });
  });
}

function wrongCode(): Refusal {
  const message = "This code is wrong. Enter the six digits that the app shows now.";
  return new Refusal(400, "invalid_request_error", "invalid_code", message, { param: "code" });
}
