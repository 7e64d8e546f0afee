"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway, gatewayConnection } from "@/lib/console/gateway/gateway-client";
import { type GatewayReply, signedOut } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { savePendingSignOn } from "@/lib/console/sign-in/pending-sign-on";
import { startIdentityLink } from "@/lib/console/sign-in/sign-in-as-member";
import { passwordChange } from "@/lib/contract/operations/sign-in/passwords";
import { appCode, passwordProof } from "@/lib/contract/operations/sign-in/two-factor";

export const changePassword = defineAction(passwordChange, (body) => callGateway("changePassword", { body }));

export const startTwoFactor = defineAction(passwordProof, (body) => callGateway("startTwoFactor", { body }));

export const confirmTwoFactor = defineAction(appCode, (body) => callGateway("confirmTwoFactor", { body }));

/** Starts linking single sign-on. Returns the address of the provider's page. */
export const linkSingleSignOn = defineAction(passwordProof, async (body) => {
  const connection = await gatewayConnection();
  if (!connection) return { ok: false, problem: signedOut };
  const reply = await startIdentityLink(connection, body);
  if (!reply.ok) return reply;
  const { url, stateToken } = reply.data;
  await savePendingSignOn({ stateToken, next: paths.account(), isIdentityLink: true }, Date.now());
  return { ok: true, data: url };
});

export const unlinkSingleSignOn = defineAction(passwordProof, (body) =>
  callGateway("endSingleSignOn", { body }),
);

export const endTwoFactor = defineAction(passwordProof, (body) => callGateway("endTwoFactor", { body }));

const endSessionInput = z.strictObject({ sessionId: z.string() });

export const endSession = defineAction(endSessionInput, ({ sessionId }) => end(sessionId));

/** Ends every session but the current one, including sessions newer than the list shown. */
export const endOtherSessions = defineAction(z.undefined(), async () => {
  let count = 0;
  for (;;) {
    const listed = await callGateway("listSessions", { query: { limit: "1000" } });
    if (!listed.ok) return listed;
    const others = listed.data.data.filter(({ current }) => !current);
    const replies = await Promise.all(others.map(({ id }) => end(id)));
    const refused = replies.find((reply) => !reply.ok);
    if (refused) return refused;
    count += others.length;
    if (!listed.data.has_more) return { ok: true, data: { count } };
  }
});

/** A session that has already ended counts as success. */
async function end(id: string): Promise<GatewayReply<{ id: string }>> {
  const reply = await callGateway("deleteSession", { params: { session_id: id } });
  return !reply.ok && reply.problem.code === "not_found"
    ? { ok: true, data: { id }, requestId: reply.problem.requestId }
    : reply;
}
