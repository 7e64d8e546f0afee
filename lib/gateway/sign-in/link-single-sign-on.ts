import type { Caller } from "../access/caller";
import { type ChangeRequest, change } from "../changes/change";
import { findManageableUser } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { conflict, notFound, type Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import type { SingleSignOnAnswer, StartedSingleSignOn } from "./credentials";
import { findCallingMember, reauthenticate } from "./own-sign-in";
import type { SignInContext } from "./sign-in-context";
import { askProvider, notAuthenticated, readAnswer } from "./single-sign-on";

/**
 * Begins to link an identity at the provider to the caller.
 * @throws Refusal 400; 409 if the caller has one; 429; 502.
 */
export async function startLink(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  password: string,
): Promise<StartedSingleSignOn> {
  const { id } = await reauthenticate(context, request, caller, password);
  if (await context.identities.isLinked(id)) throw alreadyLinked();
  return askProvider(context, { userId: id, sessionId: caller.id });
}

/** Links the authenticated identity. @throws Refusal 401 for another session's answer; 409. */
export async function finishLink(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  answer: SingleSignOnAnswer,
): Promise<void> {
  const { identities, userCache, runtime } = context;
  const user = findCallingMember(caller, userCache);
  const person = await readAnswer(context, answer);
  const { userId, sessionId } = person?.link ?? {};
  if (!person || userId !== user.id || sessionId !== caller.id) throw notAuthenticated();
  await change(context, request, async (transaction) => {
    const atMs = runtime.clock.nowMs();
    if (!(await identities.link(transaction, person, user.id, atMs))) throw alreadyLinked();
  });
}

/** Unlinks the caller's own identity. @throws Refusal 400, 404 if there is none, 429. */
export async function endOwnSingleSignOn(
  context: SignInContext,
  request: ChangeRequest,
  caller: Caller,
  password: string,
): Promise<void> {
  const user = await reauthenticate(context, request, caller, password);
  await unlink(context, request, () => user);
}

/** Unlinks a member's identity. @throws Refusal 404; 403 for a member with more permissions than the actor. */
export function endUserSingleSignOn(
  context: SignInContext,
  request: ChangeRequest,
  actor: Actor,
  userId: string,
): Promise<void> {
  return unlink(context, request, () => findManageableUser(context, actor, userId));
}

function unlink(context: SignInContext, request: ChangeRequest, find: () => UserRecord): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id, email } = find();
    if (await context.identities.unlink(transaction, id)) return;
    throw notFound("linked identity of", email, "user_id");
  });
}

function alreadyLinked(): Refusal {
  const message =
    "You are linked to an identity already, or this one belongs to another member. Unlink it there first.";
  return conflict("state_token", message, "in_use");
}
