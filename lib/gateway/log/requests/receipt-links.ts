import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { ReceiptLinkDraft } from "@/lib/contract/operations/calls/receipt-links";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { ClockAndRandom } from "../../clock";
import type { KeyCreator } from "../../keys/key-records";
import { conflict, notFound } from "../../refusal";
import { hashSecret } from "../../secrets/hash-secret";
import { newToken } from "../../secrets/new-token";
import type { ReceiptLinkRecord, ReceiptLinkStore } from "./receipt-link-store.sql";

export interface ReceiptLinkContext extends ChangeContext {
  readonly receiptLinks: ReceiptLinkStore;
  readonly runtime: ClockAndRandom;
}

const USUAL_DAYS = 7;
/** Links of one call that work at the same time. */
const MAX_LINKS = 20;

/** Makes a link. `token` is part of it and is not stored. @throws Refusal 409 if the call has too many. */
export function createReceiptLink(
  context: ReceiptLinkContext,
  request: ChangeRequest,
  call: { readonly id: string; readonly projectId: string },
  maker: KeyCreator,
  { days = USUAL_DAYS }: ReceiptLinkDraft,
): Promise<{ link: ReceiptLinkRecord; token: string }> {
  const { receiptLinks, runtime } = context;
  return change(context, request, async (transaction) => {
    const createdAtMs = runtime.clock.nowMs();
    if ((await receiptLinks.countWorking(call.id, createdAtMs)) >= MAX_LINKS) {
      const message = `${MAX_LINKS} links show this call already. Revoke one, or use one of them.`;
      throw conflict("request_id", message, "limit_reached");
    }
    const token = newToken("gr_", runtime.random);
    const link: ReceiptLinkRecord = {
      id: newId("rlink", createdAtMs, runtime.random),
      requestId: call.id,
      projectId: call.projectId,
      hash: hashSecret(token),
      createdAtMs,
      expiresAtMs: createdAtMs + days * DAY_MS,
      maker,
    };
    await receiptLinks.insert(transaction, link);
    return { link, token };
  });
}

/** Ends a link at once. @throws Refusal 404 for one that doesn't work any more, and for one of another call. */
export function revokeReceiptLink(
  context: ReceiptLinkContext,
  request: ChangeRequest,
  requestId: string,
  id: string,
): Promise<ReceiptLinkRecord> {
  const { receiptLinks, runtime } = context;
  return change(context, request, async (transaction) => {
    const link = await receiptLinks.find(id);
    if (link?.requestId !== requestId || link.expiresAtMs <= runtime.clock.nowMs())
      throw notFound("link", id, "receipt_link_id");
    await receiptLinks.delete(transaction, id);
    return link;
  });
}
