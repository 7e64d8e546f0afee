"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { inviteDraft } from "@/lib/contract/operations/people/invites";
import { userChanges } from "@/lib/contract/operations/people/users";

export const inviteMember = defineCreateAction(inviteDraft, (body, headers) =>
  callGateway("createInvite", { body, headers }),
);

// No version, since invitations can't be edited. The gateway refuses an accepted one with its own message.
export const withdrawInvite = defineAction(z.strictObject({ inviteId: z.string() }), ({ inviteId }) =>
  callGateway("deleteInvite", { params: { invite_id: inviteId } }),
);

const memberInput = z.strictObject({ userId: z.string() });

export const changeMemberRole = defineAction(
  z.extend(memberInput, { role: z.string(), version: knownVersion }),
  ({ userId, role, version }) =>
    callGateway("changeUser", { params: { user_id: userId }, body: { role }, headers: ifMatch(version) }),
);

export const removeMember = defineAction(
  z.extend(memberInput, { version: knownVersion }),
  ({ userId, version }) =>
    callGateway("deleteUser", { params: { user_id: userId }, headers: ifMatch(version) }),
);

export const makePasswordLink = defineCreateAction(memberInput, ({ userId }, headers) =>
  callGateway("createPasswordReset", { params: { user_id: userId }, body: {}, headers }),
);

export const turnOffMemberTwoFactor = defineAction(memberInput, ({ userId }) =>
  callGateway("deleteUserTwoFactor", { params: { user_id: userId } }),
);

export const unlinkMemberSingleSignOn = defineAction(memberInput, ({ userId }) =>
  callGateway("deleteUserSingleSignOn", { params: { user_id: userId } }),
);

export const endMemberSession = defineAction(
  z.extend(memberInput, { sessionId: z.string() }),
  ({ userId, sessionId }) =>
    callGateway("deleteUserSession", { params: { user_id: userId, session_id: sessionId } }),
);

/** Does one thing to several members: all or none. */
export const changeMembers = defineAction(userChanges, (body) => callGateway("changeUsers", { body }));

/** Returns what it would do to each of them, without doing it. */
export const previewMembers = defineAction(userChanges, (body) =>
  callGateway("previewUserChanges", { body }),
);
