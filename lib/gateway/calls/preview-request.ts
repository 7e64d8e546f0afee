import { isObject } from "@/lib/contract/json-value";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import type { CallPreview } from "@/lib/contract/operations/calls/completions";
import { formatAmount } from "@/lib/money/amount";
import { authorizeAgain, findChargedProject } from "../access/authorize";
import type { Caller } from "../access/caller";
import { joinPieces } from "../http/body-reader";
import { parseBounded } from "../http/json";
import { withReply } from "../http/outbound/server-reply";
import { respondWithJson } from "../http/response";
import type { RequestContext } from "../http/server";
import { type CatalogueModel, isMediaModel } from "../models/catalogue";
import { findConnection } from "../providers/provider-connection";
import { MAX_ERROR_BYTES } from "../providers/provider-failure";
import type { ProjectKeyPair, Providers } from "../providers/provider-link";
import { isRunning } from "../providers/routing/order-routes";
import type { RequestHeaders } from "../request-headers";
import type { CallContext } from "./answer-call";
import {
  describeRefusal,
  findActingCaller,
  findAllowedModel,
  type PreviewContext,
  previewCall,
} from "./call-access";
import { callKinds } from "./call-kinds";
import { describeTaskForAdmission, type TaskCreation } from "./media/create-task";
import { decodeText } from "./replies/completion";
import { type CallReader, type IncomingCall, readJson } from "./requests/incoming-call";
import {
  type CompletionRequest,
  findCounting,
  isCompletion,
  type OrderRequest,
  requireMessages,
  toOrder,
} from "./requests/prepared-request";
import { readResponse } from "./requests/read-response";
import { pickPassedHeaders, readBounded } from "./requests/upstream-request";
import { readCount } from "./usage/read-usage";

export interface PreviewRequestContext extends CallContext, Omit<PreviewContext, "projectCache"> {}

/** A call that is described and not made. */
type DescribedCall = Pick<IncomingCall, "caller" | "projectId" | "request">;

const readCountedMessage = readJson("anthropic message count");

/** Answers with the outcome that a chat completion would have now. @throws Refusal */
export function previewChatCompletion(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
) {
  return answerAboutRequest(
    context,
    requestContext,
    sender,
    { operation: operations.previewChatCompletion, read: callKinds["chat completion"].read },
    (call) =>
      !isCompletion(call) || isMediaModel(context.catalogue.find(call.request.fields.model))
        ? previewTask(context, { ...call, request: toOrder(call.request) })
        : previewCall(context, call),
  );
}

/** Answers with the tokens of a message's prompt: its provider's own count, or the estimate. @throws Refusal */
export function countMessageTokens(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
) {
  return answerAboutRequest(
    context,
    requestContext,
    sender,
    { operation: operations.countMessageTokens, read: readCountedMessage },
    async (call) => {
      const { caller, projectId } = call;
      const request = requireMessages(call.request);
      const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
      const { requestId, request: incoming } = requestContext;
      const { headers } = incoming;
      const pair = { projectId, keyId: caller.keyId };
      const counted = await askTokenCount(context, model, { requestId, request, headers, pair });
      if (counted !== null) return { input_tokens: counted };
      const { promptTokens } = await request.estimate(findCounting(context, model, null));
      return { input_tokens: promptTokens };
    },
  );
}

/** Answers with the estimated tokens of a response's input, and of what it goes on from. @throws Refusal */
export function countResponseTokens(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
) {
  return answerAboutRequest(
    context,
    requestContext,
    sender,
    { operation: operations.countResponseTokens, read: readResponse },
    async ({ caller, projectId, request: sent }) => {
      const request = requireMessages(sent);
      const model = findAllowedModel(context, projectId, request.fields.model, caller.scope);
      const { promptTokens } = await request.estimate(findCounting(context, model, null));
      return { object: "response.input_tokens", input_tokens: promptTokens };
    },
  );
}

/** Answers a question about a request without making the call. */
async function answerAboutRequest(
  context: PreviewRequestContext,
  requestContext: RequestContext,
  sender: Caller,
  { operation, read }: { readonly operation: Operation; readonly read: CallReader },
  describe: (call: DescribedCall) => Promise<object>,
): Promise<Response> {
  const { requestId, request: incoming } = requestContext;
  const findMaker = async (maker: Caller) => {
    const { caller } = await findActingCaller(context, requestContext, maker, operation);
    return { caller, projectId: findChargedProject(context.projectCache, caller, incoming.headers) };
  };
  const first = await findMaker(sender);
  const options = {
    bounds: operation.bodyBounds,
    wantsHash: false,
    keyId: first.caller.keyId,
    projectId: first.projectId,
  };
  const request = await read(context, requestContext, options);
  try {
    // A body may have taken minutes to arrive.
    const present = authorizeAgain(context, incoming.headers, operation);
    const maker = present ? await findMaker(present) : first;
    const headers = { "x-request-id": requestId, "request-id": requestId };
    return respondWithJson(await describe({ ...maker, request }), { headers });
  } finally {
    request.release();
  }
}

/** The estimate takes the place of a count that takes longer. */
const COUNT_MS = 10_000;

interface CountedCall {
  readonly requestId: string;
  readonly request: CompletionRequest;
  readonly headers: RequestHeaders;
  readonly pair: ProjectKeyPair;
}

/** The tokens of a message's prompt as a provider of the model counts them; null where none that is free does. */
async function askTokenCount(
  providers: Providers,
  { routes }: Pick<CatalogueModel, "routes">,
  { requestId, request, headers, pair }: CountedCall,
): Promise<number | null> {
  const speakers = routes.filter(
    (route) => speaksMessages(providers, route.provider) && isRunning(route, providers.links.nowMs()),
  );
  const connection = findConnection(providers, { routes: speakers, pair });
  if (!connection) return null;
  const { link, route } = connection;
  try {
    const { baseUrl, account, outputLimitField, client } = link;
    const terms = { protocol: "messages", baseUrl, account, model: route.model, maxTokens: null } as const;
    const body = await request.upstream({ ...terms, outputLimitField, leftOut: [] });
    const sent = { requestId, body, headers: pickPassedHeaders(headers, "messages"), stream: false };
    const send = client.send?.bind(client);
    if (!send) return null;
    return await withReply(
      () => send({ ...sent, endpoint: "messages/count_tokens" }),
      AbortSignal.timeout(COUNT_MS),
      async (reply) => {
        if (reply.status !== 200) return null;
        const counted = parseBounded(decodeText(joinPieces(await readBounded(reply, MAX_ERROR_BYTES))));
        return isObject(counted) ? readCount(counted.input_tokens) : null;
      },
    );
  } catch {
    return null;
  } finally {
    connection.end();
  }
}

function speaksMessages({ directory }: Providers, id: string): boolean {
  return directory.find(id)?.protocols.includes("messages") ?? false;
}

/**
 * Returns the outcome that a call to a media model would have now, by the rules of admission. Counts, holds, logs and
 * sends nothing.
 * @throws Refusal for a request that would be refused before admission.
 */
async function previewTask(
  context: TaskCreation,
  call: Pick<IncomingCall<OrderRequest>, "caller" | "request" | "projectId">,
): Promise<CallPreview> {
  const { model, admissionRequest } = describeTaskForAdmission(context, call);
  const { holdAmount, limits, refusal } = await context.admissions.preview(admissionRequest);
  return {
    object: "chat.completion.preview",
    model: model.id,
    project_id: call.projectId,
    prompt_tokens: 0,
    estimated_tokens: 0,
    max_output_tokens: 0,
    currency: context.organization.currency,
    hold: formatAmount(holdAmount),
    expected_charge: formatAmount(holdAmount),
    limits: limits.map(({ field, max, used, requested }) => ({ field, max, used, requested })),
    refusal: refusal && describeRefusal(refusal.asSeenBy(call.caller.permissionsIn)),
  };
}
