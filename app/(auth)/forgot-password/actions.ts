"use server";

import { definePublicAction } from "@/lib/console/actions/define-action";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import type { Problem } from "@/lib/console/gateway/problem";
import { sendRequest } from "@/lib/console/gateway/send-request";
import { operations } from "@/lib/contract/operation-table";
import { passwordResetRequest } from "@/lib/contract/operations/sign-in/passwords";

const requestReset = definePublicAction(passwordResetRequest, async (body) =>
  sendRequest(await anonymousConnection(), operations.requestPasswordReset, { body }),
);

/** The result of the form. `refusal` is null once the gateway has accepted the address. */
type ResetRequest = { readonly email: string; readonly refusal: Problem | null };

/** The screen's form action. Also works before or without the script. */
export async function submitResetRequest(_: unknown, form: FormData): Promise<ResetRequest> {
  const email = String(form.get("email") ?? "").trim();
  const reply = await requestReset({ email });
  return { email, refusal: reply.ok ? null : reply };
}
