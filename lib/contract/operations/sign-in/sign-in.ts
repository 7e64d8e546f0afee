import * as z from "zod/mini";
import { newPassword } from "../../access/device-token";
import { defineOperations } from "../../operation";
import { displayName, emailAddress, secretText, unixSeconds } from "../../schema";
import { session } from "./sessions";

/** The ways to sign in at this gateway. */
const signInMethods = z.object({
  object: z.literal("organization.sign_in_methods"),
  /** Whether any member has a password. */
  password: z.boolean(),
  /** The OpenID provider's name; null if none is configured. */
  single_sign_on: z.nullable(z.object({ name: z.string() })),
  /** Whether password reset links can be sent by mail; otherwise an administrator makes them. */
  password_reset_mail: z.boolean(),
});
export type SignInMethods = z.output<typeof signInMethods>;

export const passwordSignIn = z.strictObject({
  email: emailAddress,
  password: z.string().check(z.minLength(1), z.maxLength(200)),
});
export type PasswordSignIn = z.output<typeof passwordSignIn>;

/** The password was correct, and a second factor is required. */
const signInChallenge = z.object({
  object: z.literal("organization.sign_in_challenge"),
  challenge: z.string(),
  expires_at: unixSeconds,
});

const signInReply = z.discriminatedUnion("object", [session, signInChallenge]);

/** An invitation as the invited person sees it. */
const invitePreview = z.object({
  object: z.literal("organization.invite.preview"),
  email: z.string(),
  organization: z.object({ name: z.string(), logo: z.nullable(z.string()) }),
  role: z.string(),
  expires_at: unixSeconds,
});

export const inviteAcceptance = z.strictObject({
  token: secretText,
  name: displayName,
  password: newPassword,
});
export type InviteAcceptance = z.output<typeof inviteAcceptance>;

/** Needs no permission, since the body authenticates the caller. */
export const signingIn = {
  open: "to everyone",
  because: "Signing in is how one becomes a caller; the body carries the proof.",
} as const;

export const signInOperations = defineOperations(
  { surface: "v1 and origin", scope: "own" },
  {
    retrieveSignInMethods: {
      method: "GET",
      path: "/organization/sign_in_methods",
      permission: { open: "to everyone", because: "The sign-in screen asks it before anybody is signed in." },
      summary: "Tells in which ways people can sign in.",
      reply: signInMethods,
    },
    signIn: {
      method: "POST",
      effect: "acts",
      path: "/organization/sign_in",
      permission: signingIn,
      summary:
        "Signs a member in by address and password: a session, or a challenge where a code is asked for.",
      body: passwordSignIn,
      reply: signInReply,
    },
    answerSignInChallenge: {
      method: "POST",
      effect: "acts",
      path: "/organization/sign_in/challenge",
      permission: signingIn,
      summary: "Completes a sign-in with the app's six digits, or with a backup code, which is then spent.",
      body: z.strictObject({
        challenge: secretText,
        code: z.string().check(z.trim(), z.minLength(6), z.maxLength(40)),
      }),
      reply: session,
    },
    previewInvite: {
      method: "POST",
      effect: "acts",
      path: "/organization/invites/preview",
      permission: { open: "to everyone", because: "The token of the invitation's link is the proof." },
      summary: "Tells whom an invitation's token invites, and into what. Nothing is used up.",
      body: z.strictObject({ token: secretText }),
      reply: invitePreview,
    },
    acceptInvite: {
      method: "POST",
      effect: "acts",
      path: "/organization/invites/accept",
      permission: { open: "to everyone", because: "The token of the invitation's link is the proof." },
      summary: "Makes the invited person a member with the invitation's roles, and signs them in.",
      body: inviteAcceptance,
      reply: session,
    },
  },
);
