"use server";

import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { userChanges } from "@/lib/contract/operations/people/users";

/** Does one thing to several members: all or none. */
export const changeMembers = defineAction(userChanges, (body) => callGateway("changeUsers", { body }));

/** Returns what it would do to each of them, without doing it. */
export const previewMembers = defineAction(userChanges, (body) =>
  callGateway("previewUserChanges", { body }),
);
