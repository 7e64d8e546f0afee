"use server";

import { redirect } from "next/navigation";
import { openAction } from "@/lib/console/action";
import { anonymousConnection } from "@/lib/console/gateway-client";
import { safeNext } from "@/lib/console/paths";
import type { ActionReply, GatewayReply } from "@/lib/console/problem";
import type { ConsoleSession } from "@/lib/console/seal-session";
import { startSession } from "@/lib/console/session";
import { signInWithKey, signInWithLink } from "@/lib/console/sign-in";
import { keySignIn, linkSignIn } from "@/lib/console/sign-in-form";

/** Signs in with a pasted key and goes on to `next`; returns only when refused. */
export const signIn = openAction(keySignIn, async ({ key, next }) =>
  enter(await signInWithKey(anonymousConnection(), key, Date.now()), next),
);

/** Signs in with the token of a one-time link. */
export const signInByLink = openAction(linkSignIn, async ({ token, next }) =>
  enter(await signInWithLink(anonymousConnection(), token), next),
);

/** The form of the screen, which also works before or without its script. */
export async function submitKey(_: unknown, form: FormData): Promise<ActionReply<never>> {
  const [key, next] = [form.get("key"), form.get("next")].map((value) => String(value ?? ""));
  return signIn({ key: key ?? "", ...(next ? { next } : {}) });
}

async function enter(
  reply: GatewayReply<ConsoleSession>,
  next: string | undefined,
): Promise<GatewayReply<never>> {
  if (!reply.ok) return reply;
  await startSession(reply.data);
  redirect(safeNext(next));
}
