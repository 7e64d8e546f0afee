"use server";

import { redirect } from "next/navigation";
import { definePublicAction } from "@/lib/console/actions/define-action";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import type { ActionReply, GatewayReply } from "@/lib/console/gateway/problem";
import { safeNext } from "@/lib/console/paths";
import { savePendingSignOn } from "@/lib/console/sign-in/pending-sign-on";
import type { NewSession } from "@/lib/console/sign-in/seal-session";
import { startSession } from "@/lib/console/sign-in/session";
import { signInWithKey, signInWithLink } from "@/lib/console/sign-in/sign-in";
import { answerChallenge, signInWithPassword, startSignOn } from "@/lib/console/sign-in/sign-in-as-member";
import {
  codeSignIn,
  keySignIn,
  linkSignIn,
  memberSignIn,
  providerSignIn,
  type SignInStep,
} from "@/lib/console/sign-in/sign-in-form";

/** Signs in with a pasted key and redirects to `next`. Returns only if refused. */
const signIn = definePublicAction(keySignIn, async ({ key, next }) =>
  enter(await signInWithKey(await anonymousConnection(), key, Date.now()), next),
);

/** Signs in with the token of a one-time link. */
export const signInByLink = definePublicAction(linkSignIn, async ({ token, next }) =>
  enter(await signInWithLink(await anonymousConnection(), token), next),
);

/** Signs in with address and password. Returns if refused, or with a challenge if a code is required. */
const signInByPassword = definePublicAction(memberSignIn, async ({ next, ...proof }) => {
  const reply = await signInWithPassword(await anonymousConnection(), proof);
  if (!reply.ok) return reply;
  if (reply.data.kind === "challenge") return { ok: true, data: reply.data.challenge };
  return enter({ ...reply, data: reply.data.session }, next);
});

const signInByCode = definePublicAction(codeSignIn, async ({ next, ...answer }) =>
  enter(await answerChallenge(await anonymousConnection(), answer), next),
);

/** Starts single sign-on and returns the address of the provider's page. */
const signInByProvider = definePublicAction(providerSignIn, async ({ next }) => {
  const reply = await startSignOn(await anonymousConnection());
  if (!reply.ok) return reply;
  const { url, stateToken } = reply.data;
  await savePendingSignOn({ stateToken, next: safeNext(next), isIdentityLink: false }, Date.now());
  return { ok: true, data: url };
});

// The screen's form actions. They also work before or without the script.

export async function submitKey(_: unknown, form: FormData): Promise<ActionReply<never>> {
  return signIn({ key: text(form, "key"), ...readNext(form) });
}

export async function submitPassword(_: SignInStep, form: FormData): Promise<SignInStep> {
  const [email, challenge] = [text(form, "email"), text(form, "challenge")];
  if (challenge) return submitCode(form, email, challenge);
  const reply = await signInByPassword({ email, password: text(form, "password"), ...readNext(form) });
  return reply.ok
    ? { kind: "code", email, challenge: reply.data, refusal: null }
    : { kind: "password", email, refusal: reply };
}

export async function submitProvider(_: unknown, form: FormData): Promise<ActionReply<string>> {
  return signInByProvider(readNext(form));
}

async function submitCode(form: FormData, email: string, challenge: string): Promise<SignInStep> {
  const reply = await signInByCode({ challenge, code: text(form, "code"), ...readNext(form) });
  const refusal = reply.ok ? null : reply;
  return refusal?.fields.challenge
    ? { kind: "password", email, refusal }
    : { kind: "code", email, challenge, refusal };
}

async function enter(
  reply: GatewayReply<NewSession>,
  next: string | undefined,
): Promise<GatewayReply<never>> {
  if (!reply.ok) return reply;
  await startSession(reply.data);
  redirect(safeNext(next));
}

function text(form: FormData, name: string): string {
  return String(form.get(name) ?? "");
}

function readNext(form: FormData): { next?: string } {
  const next = text(form, "next");
  return next ? { next } : {};
}
