"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/action";
import { callGateway } from "@/lib/console/gateway-client";
import { inviteDraft } from "@/lib/contract/operations/invites";

export const inviteMember = action(inviteDraft, (body) => callGateway("createInvite", { body }));

export const withdrawInvite = action(z.strictObject({ inviteId: z.string() }), ({ inviteId }) =>
  callGateway("deleteInvite", { params: { invite_id: inviteId } }),
);

const aboutMember = z.strictObject({ userId: z.string() });

export const changeMemberRole = action(z.extend(aboutMember, { role: z.string() }), ({ userId, role }) =>
  callGateway("changeUser", { params: { user_id: userId }, body: { role } }),
);

export const removeMember = action(aboutMember, ({ userId }) =>
  callGateway("deleteUser", { params: { user_id: userId } }),
);

export const makePasswordLink = action(aboutMember, ({ userId }) =>
  callGateway("createPasswordReset", { params: { user_id: userId }, body: {} }),
);

export const turnOffTwoFactor = action(aboutMember, ({ userId }) =>
  callGateway("deleteUserTwoFactor", { params: { user_id: userId } }),
);

export const endMemberSession = action(
  z.extend(aboutMember, { sessionId: z.string() }),
  ({ userId, sessionId }) =>
    callGateway("deleteUserSession", { params: { user_id: userId, session_id: sessionId } }),
);
