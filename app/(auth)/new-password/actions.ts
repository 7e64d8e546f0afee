"use server";

import { openAction } from "@/lib/console/action";
import { anonymousConnection } from "@/lib/console/gateway-client";
import { sendRequest } from "@/lib/console/send-request";
import { operations } from "@/lib/contract/operation-table";
import { passwordResetUse } from "@/lib/contract/operations/passwords";

/** Sets a new password by the token of a link, once. */
export const setNewPassword = openAction(passwordResetUse, async (body) =>
  sendRequest(await anonymousConnection(), operations.usePasswordReset, { body }),
);
