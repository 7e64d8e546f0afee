import * as z from "zod/mini";
import { deviceToken, newPassword } from "../../access/device-token";
import { defineOperations } from "../../operation";
import { emailAddress, secretText, unixSeconds } from "../../schema";

/** The reply of a creation: the only time the token of the link is shown. */
const createdPasswordReset = z.object({
  object: z.literal("organization.password_reset"),
  user_id: z.string(),
  token: z.string(),
  expires_at: unixSeconds,
});

export const passwordChange = z.strictObject({
  current_password: z.string().check(z.minLength(1), z.maxLength(200)),
  password: newPassword,
});
export type PasswordChange = z.output<typeof passwordChange>;

export const passwordResetRequest = z.strictObject({ email: emailAddress });
export type PasswordResetRequest = z.output<typeof passwordResetRequest>;

export const passwordResetUse = z.strictObject({ token: secretText, password: newPassword });

const passwordSet = z.object({
  object: z.literal("organization.password"),
  email: z.string(),
  device_token: deviceToken,
});

const proofInBody = {
  open: "to everyone",
  because: "Whoever forgot a password can't sign in; the token of the link is the proof.",
} as const;

export const passwordOperations = defineOperations(
  { surface: "v1 and origin", scope: "own" },
  {
    requestPasswordReset: {
      method: "POST",
      effect: "acts",
      path: "/organization/password_resets",
      permission: { open: "to everyone", because: "Whoever forgot a password can't sign in." },
      summary: "Mails a link by which a member sets a new password; the reply is the same for any address.",
      body: passwordResetRequest,
      reply: z.object({ object: z.literal("organization.password_reset.requested") }),
    },
    createPasswordReset: {
      method: "POST",
      effect: "creates",
      path: "/organization/users/{user_id}/password_resets",
      scope: "organization",
      permission: "api.users.write",
      summary:
        "Makes the token of a link by which a member sets a new password, to hand over by other means.",
      body: z.strictObject({}),
      reply: createdPasswordReset,
    },
    usePasswordReset: {
      method: "POST",
      effect: "acts",
      path: "/organization/password_resets/use",
      permission: proofInBody,
      summary:
        "Sets a new password with the token of a reset link, once, and ends all of the member's sessions.",
      body: passwordResetUse,
      reply: passwordSet,
    },
    changePassword: {
      method: "POST",
      effect: "acts",
      path: "/organization/me/password",
      permission: {
        open: "to every caller",
        because: "A member changes their own; the current one is the proof.",
      },
      summary: "Changes one's own password, and ends all of one's other sessions.",
      body: passwordChange,
      reply: passwordSet,
    },
  },
);
