"use server";

import * as z from "zod/mini";
import { action, createAction } from "@/lib/console/actions/action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { groupDraft } from "@/lib/contract/operations/groups";

export const createGroup = createAction(groupDraft, (body, headers) =>
  callGateway("createGroup", { body, headers }),
);

const aboutGroup = z.strictObject({ groupId: z.string() });
const known = z.extend(aboutGroup, { version: knownVersion });

export const renameGroup = action(z.extend(known, { draft: groupDraft }), ({ groupId, draft, version }) =>
  callGateway("changeGroup", { params: { group_id: groupId }, body: draft, headers: ifMatch(version) }),
);

export const deleteGroup = action(known, ({ groupId, version }) =>
  callGateway("deleteGroup", { params: { group_id: groupId }, headers: ifMatch(version) }),
);

const aboutMember = z.extend(aboutGroup, { userId: z.string() });

export const addGroupMember = createAction(aboutMember, ({ groupId, userId }, headers) =>
  callGateway("addGroupUser", { params: { group_id: groupId }, body: { user_id: userId }, headers }),
);

// No version, since a membership has no fields to edit.
export const removeGroupMember = action(aboutMember, ({ groupId, userId }) =>
  callGateway("removeGroupUser", { params: { group_id: groupId, user_id: userId } }),
);
