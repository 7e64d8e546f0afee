import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type {
  ReceiptLink,
  ReceiptLinkDraft,
  SharedReceipt,
} from "@/lib/contract/operations/calls/receipt-links";
import { type ActorContext, findCallerByKeyId } from "../../access/authenticate";
import { listVisibleProjects } from "../../access/authorize";
import { type Caller, toKeyCreator } from "../../access/caller";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { KeyCreator } from "../../keys/key-records";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import type { ReceiptLinkRecord, ReceiptLinkStore } from "../../log/requests/receipt-link-store.sql";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import type { RequestDetails } from "../../log/requests/request-record";
import { conflict, invalid, notFound } from "../../refusal";
import { hashSecret, newToken } from "../../secrets/secret";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toReceipt } from "./describe-receipt";

type Ids = "createReceiptLink" | "listReceiptLinks" | "revokeReceiptLink" | "retrieveSharedReceipt";

interface Context extends ReceiptLinkContext, ActorContext {
  readonly requests: RequestLogReader;
  readonly ledger: LedgerReader;
  readonly organization: { readonly name: string; readonly currency: string };
}

export function receiptLinkRoutes(context: Context): Handlers<Ids> {
  const { receiptLinks, runtime } = context;
  return {
    createReceiptLink: async ({ params: { request_id: id }, body, caller, request }) => {
      const call = (await findCall(context, caller, id)).request;
      const { link, token } = await createReceiptLink(context, request, call, toKeyCreator(caller), body);
      return { ...toLink(link), token };
    },
    listReceiptLinks: async ({ params: { request_id: id }, query, caller }) => {
      await findCall(context, caller, id);
      return paginate(receiptLinks.pages(id, runtime.clock.nowMs()), query, toLink);
    },
    revokeReceiptLink: async ({ params, caller, request }) => {
      const { request_id: id, receipt_link_id: linkId } = params;
      await findCall(context, caller, id);
      return toLink(await revokeReceiptLink(context, request, id, linkId));
    },
    retrieveSharedReceipt: async ({ body: { token } }) => showShared(context, token),
  };
}

/** @throws Refusal 404 for a call of a project whose calls the caller may not see. */
async function findCall({ requests, graph }: Context, caller: Caller, id: string): Promise<RequestDetails> {
  const visible = listVisibleProjects(graph, caller, "api.requests.read");
  const details = await requests.find(id);
  if (details && (visible?.includes(details.request.projectId) ?? true)) return details;
  throw notFound("call", id, "request_id");
}

/** The receipt as somebody sees it who holds no permission. A link ends with its maker's permission to see the call. */
async function showShared(context: Context, token: string): Promise<SharedReceipt> {
  const { receiptLinks, requests, ledger, organization, runtime } = context;
  const link = await receiptLinks.findByHash(hashSecret(token));
  const maker = link && findCallerByKeyId(context, link.maker.id);
  const details =
    link &&
    link.expiresAtMs > runtime.clock.nowMs() &&
    maker?.permissionsIn(link.projectId).has("api.requests.read")
      ? await requests.find(link.requestId)
      : null;
  if (!link || !details)
    throw invalid("token", "This link has expired or was revoked. Ask whoever sent it for a new one.");
  const { currency, name } = organization;
  const nothing = { state: "off", untilMs: null, metadata: null } as const;
  const receipt = await toReceipt(details, ledger, NOBODY, { body: nothing, currency });
  const {
    project_id: _project,
    key_id: _key,
    key_name: _name,
    provider: _provider,
    batch_id: _batch,
    ...request
  } = receipt.request;
  const { checks, hold, resets_in_ms } = receipt;
  const expires_at = toUnixSeconds(link.expiresAtMs);
  const object = "request.shared_receipt" as const;
  return { object, organization: { name }, request, checks, hold, resets_in_ms, expires_at };
}

const NOBODY = { permissionsIn: () => new Set<never>() };

function toLink({ id, requestId, createdAtMs, expiresAtMs, maker }: ReceiptLinkRecord): ReceiptLink {
  return {
    object: "request.receipt_link",
    id,
    request_id: requestId,
    created_at: toUnixSeconds(createdAtMs),
    created_by: maker,
    expires_at: toUnixSeconds(expiresAtMs),
  };
}

interface ReceiptLinkContext extends ChangeContext {
  readonly receiptLinks: ReceiptLinkStore;
  readonly runtime: ClockAndRandom;
}

const USUAL_DAYS = 7;
/** Links of one call that work at the same time. */
const MAX_LINKS = 20;

/** Makes a link. `token` is part of it and is not stored. @throws Refusal 409 if the call has too many. */
function createReceiptLink(
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
function revokeReceiptLink(
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
