"use server";

import { redirect } from "next/navigation";
import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callAsOneself } from "@/lib/console/gateway/gateway-client";
import type { ActionReply } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { endSession } from "@/lib/console/sign-in/session";

const end = defineAction(z.undefined(), async (_, session) => {
  // Clears the local session even if the gateway can't be reached.
  if (session.kind === "session") await callAsOneself("deleteCurrentSession", {});
  await endSession();
  redirect(paths.signIn());
});

/** Ends the session, also at the gateway, and redirects to the sign-in screen. Replies only if that was refused. */
export async function signOut(): Promise<ActionReply<unknown>> {
  const reply = await end(undefined);
  if (!reply.ok && reply.code === "unauthenticated") redirect(paths.signIn());
  return reply;
}
