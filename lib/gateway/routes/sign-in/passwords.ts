import { toUnixSeconds } from "../../clock";
import {
  changePassword,
  createPasswordReset,
  mailPasswordReset,
  type PasswordContext,
  resetPassword,
} from "../../sign-in/passwords";
import type { Handlers } from "../handler";
import { readSignInClient } from "./sign-in";

type Ids = "requestPasswordReset" | "createPasswordReset" | "usePasswordReset" | "changePassword";

export function passwordRoutes(context: PasswordContext): Handlers<Ids> {
  return {
    requestPasswordReset: async ({ body, request, ...from }) => {
      await mailPasswordReset(context, request, readSignInClient(from), body.email);
      return { object: "organization.password_reset.requested" };
    },
    createPasswordReset: async ({ params: { user_id }, caller, request }) => {
      const { token, expiresAtMs } = await createPasswordReset(context, request, caller, user_id);
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.password_reset", user_id, token, expires_at };
    },
    usePasswordReset: async ({ body, request, ...from }) => {
      const { email, deviceToken } = await resetPassword(context, request, readSignInClient(from), body);
      const done = { object: "organization.password" as const, email };
      return deviceToken === null ? done : { ...done, device_token: deviceToken };
    },
    changePassword: async ({ body, caller, request, ...from }) => {
      const passwords = { current: body.current_password, password: body.password };
      const { email } = await changePassword(context, request, readSignInClient(from), caller, passwords);
      return { object: "organization.password", email };
    },
  };
}
