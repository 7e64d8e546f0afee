import { SINGLE_SIGN_ON_LINKED } from "@/lib/contract/audit-events";
import type { Caller } from "../access/caller";
import { type ChangeRequest, change, requestAs } from "../changes/change";
import { findUser } from "../members/find-user";
import type { UserRecord } from "../members/user-store";
import { conflict, notFound, Refusal } from "../refusal";
import { refuseExcessOf } from "../roles/change-access";
import type { LinkRequest, SingleSignOnAnswer, VouchedPerson } from "../sign-in/credentials";
import { admitInvited } from "./admit-member";
import { enter } from "./enter";
import type { Call, Handlers } from "./handler";
import { memberOf, notConfigured, provePassword, settingsOf } from "./member-sign-in";
import type { SignInContext } from "./sign-in";
import { countSingleSignOn } from "./sign-in-attempts";
import { toUnixSeconds } from "./unix-seconds";

type Ids =
  | "startSingleSignOn"
  | "finishSingleSignOn"
  | "startSingleSignOnLink"
  | "finishSingleSignOnLink"
  | "endSingleSignOn"
  | "deleteUserSingleSignOn";

export function singleSignOnRoutes(context: SignInContext): Handlers<Ids> {
  const { credentials, identities, userMirror, graph } = context;
  return {
    startSingleSignOn: async ({ headers, address }) => {
      const attempt = await countSingleSignOn(context, { headers, address });
      const begun = await start(context, null);
      await attempt.takeBack();
      return begun;
    },
    finishSingleSignOn: async ({ body, headers, address, request }) => {
      const attempt = await countSingleSignOn(context, { headers, address });
      const person = await credentials.finishSingleSignOn(answerOf(body));
      if (!person || person.link) throw notVouchedFor();
      await attempt.takeBack();
      const userId = await memberBehind(context, request, person);
      return enter(context, request, { headers, address }, userId);
    },
    startSingleSignOnLink: async ({ caller, body: { password }, request }) => {
      const user = memberOf(caller, userMirror);
      await provePassword(context, { caller, request }, user, password, "password");
      if (await identities.isLinked(user.id)) throw alreadyLinked();
      return start(context, linkOf(caller));
    },
    finishSingleSignOnLink: async ({ caller, body, request }) => {
      const user = memberOf(caller, userMirror);
      const person = await credentials.finishSingleSignOn(answerOf(body));
      const { userId, sessionId } = person?.link ?? {};
      if (!person || userId !== user.id || sessionId !== caller.id) throw notVouchedFor();
      await change(context, request, async (transaction) => {
        const atMs = context.effects.clock.nowMs();
        if (!(await identities.link(transaction, person, user.id, atMs))) throw alreadyLinked();
      });
      return settingsOf(context, user);
    },
    endSingleSignOn: async ({ caller, body: { password }, request }) => {
      const user = memberOf(caller, userMirror);
      await provePassword(context, { caller, request }, user, password, "password");
      await unlink(context, request, () => user);
      return settingsOf(context, user);
    },
    deleteUserSingleSignOn: async ({ caller, params: { user_id }, request }) => {
      await unlink(context, request, () => {
        const user = findUser(userMirror, user_id);
        refuseExcessOf(caller, graph.rolesOfUser(user_id));
        return user;
      });
      return { object: "organization.single_sign_on.deleted", user_id, deleted: true };
    },
  };
}

/** @throws Refusal 404 for a member without an identity, and what `find` throws. */
function unlink(context: SignInContext, request: ChangeRequest, find: () => UserRecord): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id, email } = find();
    if (await context.identities.unlink(transaction, id)) return;
    throw notFound("linked identity of", email, "user_id");
  });
}

async function start({ credentials, openIdProvider }: SignInContext, link: LinkRequest | null) {
  if (!openIdProvider) throw notConfigured("Single sign-on is not configured: set GATEHOUSE_OIDC_ISSUER.");
  const begun = await credentials.startSingleSignOn(link);
  if (!begun) throw providerAway(openIdProvider.name);
  const { url, stateToken: state_token, expiresAtMs } = begun;
  const expires_at = toUnixSeconds(expiresAtMs);
  return { object: "organization.single_sign_on" as const, url, state_token, expires_at };
}

/**
 * The member an identity belongs to, from its first sign-in on. At the first one the address decides, if the provider has
 * verified it and the member has no other identity; an owner links it themselves, in a session.
 * @throws Refusal 401 for nobody's, 403 where the member has to do something first.
 */
async function memberBehind(
  context: SignInContext,
  request: ChangeRequest,
  person: VouchedPerson,
): Promise<string> {
  const { identities, userMirror, graph, effects } = context;
  const known = await identities.memberOf(person);
  if (known !== null) return known;
  const { email } = person;
  if (email === null) throw notVouchedFor();
  const isNew = await admitInvited(context, request, { email, name: person.name ?? email });
  return change(context, requestAs(SINGLE_SIGN_ON_LINKED, request), async (transaction) => {
    const user = userMirror.findByEmail(email);
    if (!user) throw notVouchedFor();
    // Somebody who was an owner before has a way in already, and shows it first.
    if (!isNew && graph.isOwner({ kind: "user", id: user.id })) throw linkFirst();
    const isLinked = await identities.link(transaction, person, user.id, effects.clock.nowMs());
    if (!isLinked && (await identities.memberOf(person)) !== user.id) throw linkedToAnother();
    return user.id;
  });
}

function linkOf({ id: sessionId, holder }: Caller): LinkRequest {
  return { userId: holder.id, sessionId };
}

function answerOf(body: Call<"finishSingleSignOn">["body"]): SingleSignOnAnswer {
  const { state_token: stateToken, state, code, iss } = body;
  return { stateToken, state, code, iss: iss ?? null };
}

function providerAway(name: string): Refusal {
  const message = `${name} can't be reached for signing in. Try again, or sign in another way.`;
  return new Refusal(502, "service_error", "provider_error", message);
}

function notVouchedFor(): Refusal {
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

function alreadyLinked(): Refusal {
  const message =
    "You are linked to an identity already, or this one belongs to another member. Unlink it there first.";
  return conflict("state_token", message, "in_use");
}
