"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { accessApproval, accessRequestDraft } from "@/lib/contract/operations/people/access-requests";

const requestInput = z.strictObject({ id: z.string() });

export const askForAccess = defineAction(accessRequestDraft, (body) =>
  callGateway("createAccessRequest", { body }),
);

export const approveAccess = defineAction(
  z.extend(requestInput, { days: accessApproval.shape.days }),
  ({ id, days }) =>
    callGateway("approveAccessRequest", { params: { access_request_id: id }, body: { days } }),
);

/** Declines a request or, by whoever made it, withdraws it. */
export const declineAccess = defineAction(requestInput, ({ id }) =>
  callGateway("declineAccessRequest", { params: { access_request_id: id }, body: {} }),
);

export const readAccessRequest = defineAction(requestInput, ({ id }) =>
  callGateway("retrieveAccessRequest", { params: { access_request_id: id } }),
);

/** The requests of the person that wait: a member has at most 20 of them. */
export const listOwnAccessRequests = defineAction(z.strictObject({}), () =>
  callGateway("listAccessRequests", { query: { of: "own", status: "pending", limit: "20" } }),
);
