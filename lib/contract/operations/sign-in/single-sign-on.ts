import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { secretText, unixSeconds } from "../../schema";
import { session } from "./sessions";
import { signingIn } from "./sign-in";
import { ownSettings, passwordProof, signInSettings } from "./two-factor";

const singleSignOnStart = z.object({
  object: z.literal("organization.single_sign_on"),
  /** The provider's page to send the browser to. */
  url: z.string(),
  /** The client keeps it, and sends it with the provider's answer. */
  state_token: z.string(),
  expires_at: unixSeconds,
});

/** The parameters that the provider added to the redirect (OpenID Connect Core, 3.1.2.5), and the kept token. */
const singleSignOnAnswer = z.strictObject({
  state_token: secretText,
  state: secretText,
  code: secretText,
  iss: z.optional(z.string().check(z.maxLength(2000))),
});

export const singleSignOnOperations = defineOperations(
  { surface: "v1 and origin", scope: "own" },
  {
    startSingleSignOn: {
      method: "POST",
      effect: "acts",
      path: "/organization/sign_in/single_sign_on",
      permission: signingIn,
      summary: "Begins a sign-in with the organization's OpenID provider.",
      body: z.strictObject({}),
      reply: singleSignOnStart,
    },
    finishSingleSignOn: {
      method: "POST",
      effect: "acts",
      path: "/organization/sign_in/single_sign_on/answer",
      permission: signingIn,
      summary:
        "Completes a sign-in with the OpenID provider: opens a session for the member who has this identity or, the first time, this verified address, or for somebody invited under it.",
      body: singleSignOnAnswer,
      reply: session,
    },
    startSingleSignOnLink: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/single_sign_on",
      permission: ownSettings,
      summary: "Begins to link one's identity at the OpenID provider; the password is the proof.",
      body: passwordProof,
      reply: singleSignOnStart,
    },
    finishSingleSignOnLink: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/single_sign_on/answer",
      permission: ownSettings,
      summary: "Links the caller's identity at the OpenID provider, in the session that began the link.",
      body: singleSignOnAnswer,
      reply: signInSettings,
    },
    endSingleSignOn: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/single_sign_on/end",
      permission: ownSettings,
      summary: "Unlinks one's identity at the OpenID provider.",
      body: passwordProof,
      reply: signInSettings,
    },
    deleteUserSingleSignOn: {
      method: "DELETE",
      effect: "acts",
      path: "/organization/users/{user_id}/single_sign_on",
      scope: "organization",
      permission: "api.users.write",
      summary: "Unlinks a member's identity, so that another one at the provider can take its place.",
      reply: z.object({
        object: z.literal("organization.single_sign_on.deleted"),
        user_id: z.string(),
        deleted: z.literal(true),
      }),
    },
  },
);
