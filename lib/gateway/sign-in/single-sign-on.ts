import { SINGLE_SIGN_ON_LINKED } from "@/lib/contract/access/audit-events";
import { MINUTE_MS } from "@/lib/contract/durations";
import { removeControls } from "@/lib/contract/plain-text";
import { displayName } from "@/lib/contract/schema";
import type { Caller } from "../access/caller";
import { type ChangeRequest, change, systemChange, withEventType } from "../changes/change";
import { findManageableUser } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { conflict, notFound, Refusal } from "../refusal";
import type { Actor } from "../roles/actor";
import { createRandomText } from "../secrets/secret";
import { countSingleSignOn, type SignInClient } from "./attempts";
import { joinIfInvited } from "./join-by-invite";
import {
  type AuthenticatedPerson,
  describeFault,
  isRefusedCode,
  type ProviderAnswer,
  type SignOnProofs,
} from "./openid-provider";
import { type MemberSession, openToken, sealToken, startMemberSession } from "./sign-in";
import { findCallingMember, notConfigured, reauthenticate, type SignInContext } from "./sign-in-context";

/** The session of the member who links an identity. */
interface LinkRequest {
  readonly userId: string;
  readonly sessionId: string;
}

export interface StartedSingleSignOn {
  /** The provider's page. */
  readonly url: string;
  /** The browser keeps it until the provider answers. */
  readonly stateToken: string;
  readonly expiresAtMs: number;
}

export interface SingleSignOnAnswer extends ProviderAnswer {
  readonly stateToken: string;
}

/** A sign-on in progress, which the browser that began it keeps as its state token. */
interface SignOn extends SignOnProofs {
  /** Null for a sign-in. */
  readonly link: LinkRequest | null;
  readonly expiresAtMs: number;
}

const SIGN_ON_MS = 10 * MINUTE_MS;

/** Begins a sign-in at the organization's OpenID provider. @throws Refusal 400 if there is none, 429, 502. */
export async function startSingleSignOn(
  context: SignInContext,
  client: SignInClient,
): Promise<StartedSingleSignOn> {
  const attempt = await countSingleSignOn(context, client);
  const startedSignOn = await askProvider(context, null);
  await attempt.takeBack();
  return startedSignOn;
}

/**
 * Signs in the person that the provider authenticated.
 * @throws Refusal 401 for an unknown identity; 403 if the member has to link it first; 409; 429.
 */
export async function finishSingleSignOn(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  answer: SingleSignOnAnswer,
): Promise<MemberSession> {
  const attempt = await countSingleSignOn(context, client);
  const person = await readAnswer(context, answer);
  if (!person || person.link) throw notAuthenticated();
  await attempt.takeBack();
  const userId = await findIdentityMember(context, request, person);
  return startMemberSession(context, request, client, userId);
}

/**
 * The person that the provider authenticated, with the link that was asked for. Null for nobody, and for an answer that
 * belongs to another sign-on or comes a second time.
 */
async function readAnswer(
  context: SignInContext,
  { stateToken, ...answer }: SingleSignOnAnswer,
): Promise<(AuthenticatedPerson & Pick<SignOn, "link">) | null> {
  const { openIdProvider, usedCodes, runtime, logFault } = context;
  const signOn = openToken<SignOn>("single sign-on", stateToken, context);
  if (!openIdProvider || signOn?.state !== answer.state) return null;
  // The provider may answer one sign-on with several codes, each valid once.
  const isFirst = await systemChange(context, "sign-in bookkeeping", (transaction) =>
    usedCodes.useState(transaction, signOn.state, runtime.clock.nowMs()),
  );
  if (!isFirst) return null;
  try {
    return { ...(await openIdProvider.readPerson(answer, signOn)), link: signOn.link };
  } catch (error) {
    if (!isRefusedCode(error)) logFault("single sign-on", describeFault(error));
    return null;
  }
}

/** Begins a sign-in, or a link, at the provider. @throws Refusal 400 if none is configured; 502. */
async function askProvider(context: SignInContext, link: LinkRequest | null): Promise<StartedSingleSignOn> {
  const { openIdProvider, runtime, logFault } = context;
  if (!openIdProvider) throw notConfigured("Single sign-on is not configured: set GATEHOUSE_OIDC_ISSUER.");
  const createProof = () => createRandomText(runtime.random);
  const expiresAtMs = runtime.clock.nowMs() + SIGN_ON_MS;
  const proofs = { state: createProof(), codeVerifier: createProof(), nonce: createProof() };
  const signOn: SignOn = { ...proofs, link, expiresAtMs };
  const url = await openIdProvider.buildSignInUrl(proofs).catch((error: unknown) => {
    logFault("single sign-on", describeFault(error));
    throw providerAway(openIdProvider.name);
  });
  return { url, stateToken: sealToken("single sign-on", signOn, context), expiresAtMs };
}

/**
 * The member that an identity belongs to. On its first sign-in it is linked to the member with its address, if the
 * provider verified the address and the member has no other identity. Owners link theirs themselves, in a session.
 */
async function findIdentityMember(
  context: SignInContext,
  request: ChangeRequest,
  person: AuthenticatedPerson,
): Promise<string> {
  const { identities, credentialStore, userCache, graph, runtime } = context;
  const userId = await identities.findMember(person);
  if (userId !== null) return userId;
  const { email } = person;
  if (email === null) throw notAuthenticated();
  const isNew = await joinIfInvited(context, request, { email, name: readName(person) ?? email });
  return change(context, withEventType(SINGLE_SIGN_ON_LINKED, request), async (transaction) => {
    const user = userCache.findByEmail(email);
    if (!user) throw notAuthenticated();
    // A former Owner can sign in another way, and so prove their identity first. Whom the directory added can't.
    const hasOtherWay = !user.directory || (await credentialStore.hasPassword(user.id));
    if (!isNew && hasOtherWay && graph.isOwner({ kind: "user", id: user.id })) throw linkFirst();
    const isLinked = await identities.link(transaction, person, user.id, runtime.clock.nowMs());
    if (!isLinked && (await identities.findMember(person)) !== user.id) throw linkedToAnother();
    return user.id;
  });
}

/** The name at the provider, which people may choose freely there; null unless it may be a member's name here. */
function readName({ name }: AuthenticatedPerson): string | null {
  const read = displayName.safeParse(removeControls(name ?? ""));
  return read.success ? read.data : null;
}

function providerAway(name: string): Refusal {
  const message = `${name} can't be reached for signing in. Try again, or sign in another way.`;
  return new Refusal(502, "service_error", "provider_error", message);
}

/** 401: the provider authenticated nobody. */
function notAuthenticated(): Refusal {
  const message =
    "The sign-in was not completed: it was begun elsewhere or too long ago, or the provider vouches for no verified address of a member or an invited person.";
  return new Refusal(401, "authentication_error", "sign_in_failed", message);
}

function linkFirst(): Refusal {
  const message =
    "An Owner links single sign-on themselves: sign in with your password, then link it under Account.";
  return new Refusal(403, "permission_error", "link_required", message);
}

function linkedToAnother(): Refusal {
  const message =
    "This member is linked to another identity at the provider. Sign in with your password and unlink it under Account, or ask an administrator to.";
  return conflict("state_token", message, "linked_to_another");
}

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
