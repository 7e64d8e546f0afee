"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import type { GatewayReply } from "@/lib/console/problem";
import { passwordChange } from "@/lib/contract/operations/passwords";
import { appCode, passwordProof } from "@/lib/contract/operations/two-factor";

export const changePassword = action(passwordChange, (body) => callGateway("changePassword", { body }));

export const startTwoFactor = action(passwordProof, (body) => callGateway("startTwoFactor", { body }));

export const confirmTwoFactor = action(appCode, (body) => callGateway("confirmTwoFactor", { body }));

export const endTwoFactor = action(passwordProof, (body) => callGateway("endTwoFactor", { body }));

const ending = z.strictObject({ sessionId: z.string() });

export const endSession = action(ending, ({ sessionId }) => end(sessionId));

/** Ends every session but the one that asks, those begun since the list was shown too. */
export const endOtherSessions = action(z.undefined(), async () => {
  const listed = await callGateway("listSessions", { query: { limit: "1000" } });
  if (!listed.ok) return listed;
  const others = listed.data.data.filter(({ current }) => !current);
  const replies = await Promise.all(others.map(({ id }) => end(id)));
  const refused = replies.find((reply) => !reply.ok);
  return refused ?? { ok: true, data: { count: others.length } };
});

/** One that is over already has ended, too. */
async function end(id: string): Promise<GatewayReply<{ id: string }>> {
  const reply = await callGateway("deleteSession", { params: { session_id: id } });
  return !reply.ok && reply.problem.code === "not_found"
    ? { ok: true, data: { id }, requestId: reply.problem.requestId }
    : reply;
}
