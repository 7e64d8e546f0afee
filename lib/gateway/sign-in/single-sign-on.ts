import { SINGLE_SIGN_ON_LINKED } from "@/lib/contract/access/audit-events";
import { type ChangeRequest, change, systemChange, withEventType } from "../changes/change";
import { conflict, Refusal } from "../refusal";
import { countSingleSignOn } from "./count-attempt";
import type {
  AuthenticatedPerson,
  LinkRequest,
  SingleSignOnAnswer,
  StartedSingleSignOn,
} from "./credentials";
import { joinIfInvited } from "./join-by-invite";
import { notConfigured } from "./own-sign-in";
import type { SignInContext } from "./sign-in-context";
import { type MemberSession, startMemberSession } from "./start-member-session";
import type { Visitor } from "./visitor";

/** Begins a sign-in at the organization's OpenID provider. @throws Refusal 400 if there is none, 429, 502. */
export async function startSingleSignOn(
  context: SignInContext,
  visitor: Visitor,
): Promise<StartedSingleSignOn> {
  const attempt = await countSingleSignOn(context, visitor);
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
  visitor: Visitor,
  answer: SingleSignOnAnswer,
): Promise<MemberSession> {
  const attempt = await countSingleSignOn(context, visitor);
  const person = await readAnswer(context, answer);
  if (!person || person.link) throw notAuthenticated();
  await attempt.takeBack();
  const userId = await findIdentityMember(context, request, person);
  return startMemberSession(context, request, visitor, userId);
}

/** The person that the provider authenticated, the first time that the answer's state comes; null for nobody. */
export function readAnswer(
  context: SignInContext,
  answer: SingleSignOnAnswer,
): Promise<AuthenticatedPerson | null> {
  const { credentials, usedCodes, runtime } = context;
  return credentials.finishSingleSignOn(answer, (state) =>
    systemChange(context, "sign-in bookkeeping", (transaction) =>
      usedCodes.useState(transaction, state, runtime.clock.nowMs()),
    ),
  );
}

/** Begins a sign-in, or a link, at the provider. @throws Refusal 400 if none is configured; 502. */
export async function askProvider(
  { credentials, openIdProvider }: SignInContext,
  link: LinkRequest | null,
): Promise<StartedSingleSignOn> {
  if (!openIdProvider) throw notConfigured("Single sign-on is not configured: set GATEHOUSE_OIDC_ISSUER.");
  const startedSignOn = await credentials.startSingleSignOn(link);
  if (!startedSignOn) throw providerAway(openIdProvider.name);
  return startedSignOn;
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
  const { identities, userCache, graph, runtime } = context;
  const userId = await identities.findMember(person);
  if (userId !== null) return userId;
  const { email } = person;
  if (email === null) throw notAuthenticated();
  const isNew = await joinIfInvited(context, request, { email, name: person.name ?? email });
  return change(context, withEventType(SINGLE_SIGN_ON_LINKED, request), async (transaction) => {
    const user = userCache.findByEmail(email);
    if (!user) throw notAuthenticated();
    // A former Owner can sign in another way, and so prove their identity first.
    if (!isNew && graph.isOwner({ kind: "user", id: user.id })) throw linkFirst();
    const isLinked = await identities.link(transaction, person, user.id, runtime.clock.nowMs());
    if (!isLinked && (await identities.findMember(person)) !== user.id) throw linkedToAnother();
    return user.id;
  });
}

function providerAway(name: string): Refusal {
  const message = `${name} can't be reached for signing in. Try again, or sign in another way.`;
  return new Refusal(502, "service_error", "provider_error", message);
}

/** 401: the provider authenticated nobody. */
export function notAuthenticated(): Refusal {
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
