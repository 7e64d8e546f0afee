import { MINUTE_MS } from "@/lib/contract/durations";
import { readIdTime } from "@/lib/contract/ids";
import type { HistogramQuery, RequestQuery } from "@/lib/contract/operations/calls/requests";
import { parseAmount } from "@/lib/money/amount";
import { listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { BodyQueue } from "../../calls/bodies/body-queue";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import type { BodySettingsCache } from "../../log/bodies/body-settings.sql";
import { readBodyState } from "../../log/bodies/read-body";
import type { StoredBodyReader } from "../../log/bodies/stored-bodies.sql";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import { findRunBy, type RequestDetails, type RequestFilter } from "../../log/requests/request-record";
import { notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { countOverTime } from "./count-over-time";
import { toReceipt, toRequest } from "./describe-receipt";

type Ids =
  | "listRequests"
  | "listOwnRequests"
  | "retrieveRequest"
  | "retrieveOwnRequest"
  | "retrieveRequestHistogram";

interface Context {
  readonly requests: RequestLogReader;
  readonly ledger: LedgerReader;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
  readonly bodySettingsCache: BodySettingsCache;
  readonly bodyQueue: BodyQueue;
  readonly storedBodies: StoredBodyReader;
  readonly organization: { readonly currency: string };
}

export function requestRoutes(context: Context): Handlers<Ids> {
  return {
    listRequests: ({ query, caller }) => {
      const visible = listVisibleProjects(context.graph, caller, "api.requests.read");
      return list(
        context,
        { ...toFilter(query), projectIds: narrowTo(visible, query.project_id) },
        query,
        caller,
      );
    },
    listOwnRequests: ({ query, caller }) => {
      const projectIds = query.project_id === undefined ? null : [query.project_id];
      return list(context, { ...toFilter(query), projectIds, keyIds: [caller.keyId] }, query, caller);
    },
    retrieveRequest: ({ params: { request_id: id }, caller }) => {
      const visible = listVisibleProjects(context.graph, caller, "api.requests.read");
      return readReceipt(context, id, caller, ({ request }) => visible?.includes(request.projectId) ?? true);
    },
    retrieveRequestHistogram: ({ query, caller }) => {
      const visible = listVisibleProjects(context.graph, caller, "api.requests.read");
      const filter = { ...toFilter(query), projectIds: narrowTo(visible, query.project_id) };
      return countOverTime(context, filter, query);
    },
    retrieveOwnRequest: ({ params: { request_id: id }, caller }) =>
      readReceipt(context, id, caller, (details) => {
        return details.request.keyId === caller.keyId || findRunBy(details) === caller.keyId;
      }),
  };
}

async function readReceipt(
  context: Context,
  id: string,
  caller: Caller,
  maySee: (found: RequestDetails) => boolean,
) {
  const { requests, ledger, organization, runtime } = context;
  const details = await requests.find(id);
  if (!details || !maySee(details)) throw notFound("call", id, "request_id");
  const body = await readBodyState(context, details.request, runtime.clock.nowMs());
  return toReceipt(details, ledger, caller, { body, currency: organization.currency });
}

async function list(context: Context, filter: RequestFilter, query: RequestQuery, { permissionsIn }: Caller) {
  const { after, before, limit } = query;
  const { currency } = context.organization;
  const listed = context.requests.listed(filter);
  const page = await paginate(listed, { after, before, limit }, (request) =>
    toRequest(request, permissionsIn, currency),
  );
  const minutes = findMinutes(page, query, context.runtime.clock.nowMs());
  const unlisted = await context.requests.unlistedRefusals(filter, minutes);
  return {
    ...page,
    unlisted_refusals: unlisted.map(({ minuteMs, refusals }) => ({
      minute: toUnixSeconds(minuteMs),
      refusals,
    })),
  };
}

/** The minutes whose refusals belong to a page. Over all pages of a list, each minute is covered once. */
function findMinutes(
  page: { readonly last_id: string | null; readonly has_more: boolean },
  { after, before, start_time = 0, end_time }: RequestQuery,
  nowMs: number,
) {
  const minuteAfter = (id: string) => {
    const ms = readIdTime(id) ?? 0;
    return ms - (ms % MINUTE_MS) + MINUTE_MS;
  };
  const until = after === undefined ? nowMs + MINUTE_MS : minuteAfter(after);
  const isOpen = page.has_more || before !== undefined;
  const from = isOpen && page.last_id !== null ? minuteAfter(page.last_id) : 0;
  return {
    fromMs: Math.max(from, start_time * 1000),
    toMs: Math.min(until, (end_time ?? Number.POSITIVE_INFINITY) * 1000),
  };
}

function toFilter(query: HistogramQuery): Omit<RequestFilter, "projectIds"> {
  const { start_time: start, end_time: end, request_id: id } = query;
  const keyIds = [query.api_key_id, query.user_id].filter((keyId) => keyId !== undefined);
  return {
    startMs: start === undefined ? undefined : start * 1000,
    endMs: end === undefined ? undefined : end * 1000,
    model: query.model,
    provider: query.provider,
    keyIds: keyIds.length > 0 ? keyIds : undefined,
    outcome: query.outcome,
    refusedBy: query.refused_by,
    status: query.status,
    minAmount: query.min_amount === undefined ? undefined : (parseAmount(query.min_amount) ?? undefined),
    minDurationMs: query.min_duration_ms,
    requestId: id === undefined ? undefined : id.trim(),
    batchId: query.batch_id,
  };
}
