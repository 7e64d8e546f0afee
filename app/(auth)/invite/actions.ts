"use server";

import * as z from "zod/mini";
import { definePublicAction } from "@/lib/console/actions/define-action";
import { anonymousConnection } from "@/lib/console/gateway/gateway-client";
import { sendRequest } from "@/lib/console/gateway/send-request";
import { startSession } from "@/lib/console/sign-in/session";
import { signInWithInvite } from "@/lib/console/sign-in/sign-in-as-member";
import { operations } from "@/lib/contract/operation-table";
import { inviteAcceptance } from "@/lib/contract/operations/sign-in/sign-in";

const linkTokenInput = z.object({ token: inviteAcceptance.shape.token });

/** Returns who the link invites and to what. Doesn't consume the link. */
export const previewInvite = definePublicAction(linkTokenInput, async (body) =>
  sendRequest(await anonymousConnection(), operations.previewInvite, { body }),
);

/** Makes the invited person a member and signs them in, replacing any other session of this browser. */
export const acceptInvite = definePublicAction(inviteAcceptance, async (body) => {
  const reply = await signInWithInvite(await anonymousConnection(), body);
  if (!reply.ok) return reply;
  await startSession(reply.data);
  return { ok: true, data: null };
});
