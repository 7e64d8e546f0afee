import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, secretText, unixSeconds } from "../../schema";
import { person } from "../money/pending-payment";
import { requestCheck, requestHold } from "./receipt-parts";
import { loggedRequest } from "./requests";

/** A link that shows one call's receipt to whoever has it, until it expires or is revoked. */
const receiptLink = z.object({
  object: z.literal("request.receipt_link"),
  id: z.string(),
  request_id: z.string(),
  created_at: unixSeconds,
  created_by: person,
  expires_at: unixSeconds,
});
export type ReceiptLink = z.output<typeof receiptLink>;

/** The reply of a creation: the only time the link's token is shown. */
const createdReceiptLink = z.extend(receiptLink, { token: z.string() });

export const receiptLinkDraft = z.strictObject({
  /** After so many days the link shows nothing any more: 7 if it is left out. */
  days: z.optional(z.int().check(z.minimum(1), z.maximum(90))),
});
export type ReceiptLinkDraft = z.output<typeof receiptLinkDraft>;

/** What a link shows of a call: never its prompt and answer, its key, its client, its provider or the balance. */
const sharedReceipt = z.object({
  object: z.literal("request.shared_receipt"),
  organization: z.object({ name: z.string() }),
  request: z.omit(loggedRequest, {
    project_id: true,
    key_id: true,
    key_name: true,
    provider: true,
    batch_id: true,
  }),
  checks: z.array(requestCheck),
  hold: z.nullable(requestHold),
  resets_in_ms: z.nullable(z.int()),
  expires_at: unixSeconds,
});
export type SharedReceipt = z.output<typeof sharedReceipt>;

export const receiptLinkOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project", permission: "api.requests.read" },
  {
    createReceiptLink: {
      method: "POST",
      effect: "creates",
      path: "/organization/requests/{request_id}/links",
      summary:
        "Makes a link that shows a call's receipt without sign-in, for some days; its token is returned this once. It shows no prompt, answer, key or client, and ends with its maker's permission to see the call.",
      body: receiptLinkDraft,
      reply: createdReceiptLink,
    },
    listReceiptLinks: {
      method: "GET",
      path: "/organization/requests/{request_id}/links",
      summary: "Lists the links to a call's receipt that still work, newest first, without their tokens.",
      query: pageQuery,
      reply: pageSchema(receiptLink),
    },
    revokeReceiptLink: {
      method: "POST",
      effect: "acts",
      path: "/organization/requests/{request_id}/links/{receipt_link_id}/revoke",
      summary: "Ends a link to a call's receipt at once.",
      reply: receiptLink,
    },
    retrieveSharedReceipt: {
      method: "POST",
      effect: "acts",
      path: "/organization/shared_receipt",
      scope: "own",
      permission: { open: "to everyone", because: "The token of the link is the proof." },
      summary: "Returns the receipt that a link's token shows. Nothing else can be read with it.",
      body: z.strictObject({ token: secretText }),
      reply: sharedReceipt,
    },
  },
);
