import * as z from "zod/mini";
import { defineOperations } from "../../operation";

/** The caller's own password, to confirm who they are. */
export const passwordProof = z.strictObject({ password: z.string().check(z.minLength(1), z.maxLength(200)) });
export type PasswordProof = z.output<typeof passwordProof>;

export const appCode = z.strictObject({
  code: z.string().check(z.regex(/^\d{6}$/, "must be the six digits that the app shows")),
});
export type AppCode = z.output<typeof appCode>;

/** How a member signs in. */
export const signInSettings = z.object({
  object: z.literal("organization.sign_in_settings"),
  email: z.string(),
  password: z.boolean(),
  two_factor: z.boolean(),
  /** Null without a second factor. */
  backup_codes_left: z.nullable(z.int()),
  single_sign_on: z.boolean(),
});
export type SignInSettings = z.output<typeof signInSettings>;

const twoFactorDraft = z.object({
  object: z.literal("organization.two_factor.draft"),
  /** The content of the app's QR code (Key URI format). */
  otpauth_uri: z.string(),
  /** Each replaces the app's code once. They are shown only now. */
  backup_codes: z.array(z.string()),
});
export type TwoFactorDraft = z.output<typeof twoFactorDraft>;

export const ownSettings = {
  open: "to every caller",
  because: "A member looks after their own sign-in.",
} as const;

export const twoFactorOperations = defineOperations(
  { surface: "v1 and origin", scope: "own", permission: ownSettings },
  {
    retrieveSignInSettings: {
      method: "GET",
      path: "/organization/me/sign_in",
      summary: "Tells how the member who asks signs in.",
      reply: signInSettings,
    },
    startTwoFactor: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/two_factor",
      summary:
        "Begins two-factor sign-in by app (RFC 6238): it counts once a code of the app has confirmed it.",
      body: passwordProof,
      reply: twoFactorDraft,
    },
    confirmTwoFactor: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/two_factor/confirm",
      summary:
        "Turns on two-factor sign-in with a first code of the app, and ends all of the caller's other sessions.",
      body: appCode,
      reply: signInSettings,
    },
    endTwoFactor: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/two_factor/end",
      summary: "Turns off the caller's two-factor sign-in.",
      body: passwordProof,
      reply: signInSettings,
    },
    deleteUserTwoFactor: {
      method: "DELETE",
      effect: "acts",
      path: "/organization/users/{user_id}/two_factor",
      scope: "organization",
      permission: "api.users.write",
      summary: "Turns off two-factor sign-in for a member who has lost the app and the backup codes.",
      reply: z.object({
        object: z.literal("organization.two_factor.deleted"),
        user_id: z.string(),
        deleted: z.literal(true),
      }),
    },
  },
);
