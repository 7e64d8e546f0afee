"use server";

import { redirect } from "next/navigation";
import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { paths } from "@/lib/console/paths";
import { endSession } from "@/lib/console/session";

const end = action(z.undefined(), async (_, session) => {
  // Whether or not the gateway can be told, nobody stays signed in here.
  if (session.kind === "session") await callGateway("deleteCurrentSession", {});
  await endSession();
  redirect(paths.signIn());
});

/** Ends the session, in the gateway too, and goes to the sign-in screen. */
export async function signOut(): Promise<void> {
  const reply = await end(undefined);
  if (!reply.ok && reply.code === "unauthenticated") redirect(paths.signIn());
}
