"use server";

import { definePublicAction } from "@/lib/console/actions/define-action";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import { sendRequest } from "@/lib/console/gateway/send-request";
import { saveDeviceToken } from "@/lib/console/sign-in/device";
import { operations } from "@/lib/contract/operation-table";
import { passwordResetUse } from "@/lib/contract/operations/sign-in/passwords";

/** Sets a new password with a link's single-use token. */
export const setNewPassword = definePublicAction(passwordResetUse, async (body) => {
  const reply = await sendRequest(await anonymousConnection(), operations.usePasswordReset, { body });
  if (!reply.ok) return reply;
  await saveDeviceToken(reply.data.device_token);
  return { ok: true, data: { email: reply.data.email } };
});
