"use server";

import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { groupDraft } from "@/lib/contract/operations/people/groups";

export const createGroup = defineCreateAction(groupDraft, (body, headers) =>
  callGateway("createGroup", { body, headers }),
);

const groupInput = z.strictObject({ groupId: z.string() });
const versionedInput = z.extend(groupInput, { version: knownVersion });

export const renameGroup = defineAction(
  z.extend(versionedInput, { body: groupDraft }),
  ({ groupId, body, version }) =>
    callGateway("changeGroup", { params: { group_id: groupId }, body, headers: ifMatch(version) }),
);

export const takeGroup = defineAction(versionedInput, ({ groupId, version }) =>
  callGateway("changeGroup", {
    params: { group_id: groupId },
    body: { is_scim_managed: false },
    headers: ifMatch(version),
  }),
);

export const deleteGroup = defineAction(versionedInput, ({ groupId, version }) =>
  callGateway("deleteGroup", { params: { group_id: groupId }, headers: ifMatch(version) }),
);

const memberInput = z.extend(groupInput, { userId: z.string() });

export const addGroupMember = defineCreateAction(memberInput, ({ groupId, userId }, headers) =>
  callGateway("addGroupUser", { params: { group_id: groupId }, body: { user_id: userId }, headers }),
);

// No version, since a membership has no fields to edit.
export const removeGroupMember = defineAction(memberInput, ({ groupId, userId }) =>
  callGateway("removeGroupUser", { params: { group_id: groupId, user_id: userId } }),
);
