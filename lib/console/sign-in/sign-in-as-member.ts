import { operations } from "@/lib/contract/operation-table";
import type { InviteAcceptance, PasswordSignIn } from "@/lib/contract/operations/sign-in/sign-in";
import type { PasswordProof } from "@/lib/contract/operations/sign-in/two-factor";
import type { Connection, OperationReply } from "../gateway/gateway-request";
import { createProblem, type GatewayReply } from "../gateway/problem";
import { sendRequest } from "../gateway/send-request";
import type { NewSession } from "./seal-session";
import { toNewSession } from "./sign-in";

/** The outcome of a correct password: a session, or a challenge for the second factor. */
type Entrance =
  | { readonly kind: "session"; readonly session: NewSession }
  | { readonly kind: "challenge"; readonly challenge: string };

/** A wrong address or password is `unauthenticated` at the field `password`. */
export async function signInWithPassword(
  gateway: Connection,
  body: PasswordSignIn,
): Promise<GatewayReply<Entrance>> {
  const reply = await sendRequest(gateway, operations.signIn, { body });
  if (!reply.ok) return reply;
  if (reply.data.object === "organization.sign_in_challenge") {
    return { ...reply, data: { kind: "challenge", challenge: reply.data.challenge } };
  }
  return { ...reply, data: { kind: "session", session: toNewSession(reply.data) } };
}

/** A wrong code is `unauthenticated` at the field `code`, an expired challenge at the field `challenge`. */
export async function answerChallenge(
  gateway: Connection,
  body: { challenge: string; code: string },
): Promise<GatewayReply<NewSession>> {
  const reply = await sendRequest(gateway, operations.answerSignInChallenge, { body });
  return reply.ok ? { ...reply, data: toNewSession(reply.data) } : reply;
}

/** Makes the invited person a member and signs them in. */
export async function signInWithInvite(
  gateway: Connection,
  body: InviteAcceptance,
): Promise<GatewayReply<NewSession>> {
  const reply = await sendRequest(gateway, operations.acceptInvite, { body });
  return reply.ok ? { ...reply, data: toNewSession(reply.data) } : reply;
}

/** Returns the provider's page, and the state to keep until it answers. */
export async function startSignOn(gateway: Connection): Promise<GatewayReply<PendingAnswer>> {
  return readPendingAnswer(await sendRequest(gateway, operations.startSingleSignOn, { body: {} }));
}

/** The same for linking an identity to the signed-in person. A wrong password is reported at the field `password`. */
export async function startIdentityLink(
  gateway: Connection,
  body: PasswordProof,
): Promise<GatewayReply<PendingAnswer>> {
  return readPendingAnswer(await sendRequest(gateway, operations.startSingleSignOnLink, { body }));
}

interface PendingAnswer {
  readonly url: string;
  readonly stateToken: string;
}

function readPendingAnswer(
  reply: GatewayReply<OperationReply<typeof operations.startSingleSignOn>>,
): GatewayReply<PendingAnswer> {
  if (!reply.ok) return reply;
  const { url, state_token: stateToken } = reply.data;
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { ...reply, data: { url, stateToken } };
  return { ok: false, problem: createProblem("failed", "The provider's address makes no sense.") };
}

/** The provider's answer, with the kept state. */
export interface ProviderAnswer {
  readonly stateToken: string;
  readonly state: string;
  readonly code: string;
  readonly iss: string | null;
}

/** Fails with `unauthenticated` if the identity isn't linked to a member. */
export async function finishSignOn(
  gateway: Connection,
  answer: ProviderAnswer,
): Promise<GatewayReply<NewSession>> {
  const reply = await sendRequest(gateway, operations.finishSingleSignOn, { body: toAnswerBody(answer) });
  return reply.ok ? { ...reply, data: toNewSession(reply.data) } : reply;
}

/** Fails with `conflict` if the identity is linked to another member. */
export async function finishIdentityLink(
  gateway: Connection,
  answer: ProviderAnswer,
): Promise<GatewayReply<unknown>> {
  return sendRequest(gateway, operations.finishSingleSignOnLink, { body: toAnswerBody(answer) });
}

function toAnswerBody({ stateToken, state, code, iss }: ProviderAnswer) {
  return { state_token: stateToken, state, code, ...(iss === null ? {} : { iss }) };
}
