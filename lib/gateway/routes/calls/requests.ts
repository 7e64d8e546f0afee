import { requestOutcomes } from "@/lib/contract/calls/request-outcomes";
import { DAY_MS, DAY_S, HOUR_S, MINUTE_MS, MINUTE_S } from "@/lib/contract/durations";
import { readIdTime } from "@/lib/contract/ids";
import type {
  BodySettings as BodySettingsReply,
  RequestBody,
} from "@/lib/contract/operations/calls/request-bodies";
import type {
  HistogramQuery,
  RequestHistogram,
  RequestQuery,
} from "@/lib/contract/operations/calls/requests";
import { formatAmount, parseAmount, toNano, ZERO } from "@/lib/money/amount";
import { listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { BodyQueue } from "../../calls/bodies/body-queue";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { LedgerReader } from "../../ledger/reads/ledger-reader.sql";
import {
  type BodySettings,
  type BodySettingsCache,
  type BodySettingsContext,
  saveBodySettings,
} from "../../log/bodies/body-settings.sql";
import { readBodyState, readRequestBody } from "../../log/bodies/read-body";
import type { StoredBodyReader } from "../../log/bodies/stored-bodies.sql";
import type { StoredText } from "../../log/bodies/stored-body";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import {
  findRunBy,
  type RequestCount,
  type RequestDetails,
  type RequestFilter,
} from "../../log/requests/request-record";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
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

interface CountOverTimeContext {
  readonly requests: Pick<RequestLogReader, "count" | "firstCallMs">;
  readonly runtime: ClockAndRandom;
  readonly organization: { readonly currency: string };
}

/** Possible bucket widths in seconds; the first one that keeps the number of buckets within its maximum is used. */
const WIDTHS = [
  MINUTE_S,
  5 * MINUTE_S,
  15 * MINUTE_S,
  HOUR_S,
  2 * HOUR_S,
  8 * HOUR_S,
  DAY_S,
  7 * DAY_S,
  28 * DAY_S,
];
const MAX_BUCKETS = 100;

/** Counts the calls of a filter over its time range, or from the first call until now. */
async function countOverTime(
  { requests, runtime, organization }: CountOverTimeContext,
  filter: RequestFilter,
  { start_time, end_time }: HistogramQuery,
): Promise<RequestHistogram> {
  const now = Math.floor(runtime.clock.nowMs() / 1000) + 1;
  const end = Math.max(1, end_time ?? now);
  const first = start_time ?? Math.floor(((await requests.firstCallMs()) ?? (end - DAY_S) * 1000) / 1000);
  const start = Math.max(0, Math.min(first, end - 1));
  const width = WIDTHS.find((seconds) => (end - start) / seconds <= MAX_BUCKETS) ?? 28 * DAY_S;
  const span = { fromMs: start * 1000, toMs: end * 1000, widthMs: width * 1000 };
  const timeline = await requests.count(filter, span);
  const seconds = (timeline?.widthMs ?? span.widthMs) / 1000;
  const counts = timeline?.counts ?? [];
  const starts = [...new Set(counts.map(({ startMs }) => startMs))].toSorted((one, other) => one - other);
  return {
    object: "request.histogram",
    start_time: start - (start % seconds),
    end_time: end,
    bucket_seconds: seconds,
    buckets: starts.map((startMs) => ({
      start_time: startMs / 1000,
      ...byOutcome(counts.filter((count) => count.startMs === startMs)),
    })),
    totals: {
      ...byOutcome(counts),
      amount: formatAmount(counts.reduce((sum, { amount }) => toNano(sum + amount), ZERO)),
    },
    currency: organization.currency,
    is_counted: timeline !== null,
  };
}

type Outcomes = Record<(typeof requestOutcomes)[number], number>;

function byOutcome(counts: readonly RequestCount[]): Outcomes {
  const sums = Object.fromEntries(requestOutcomes.map((outcome) => [outcome, 0])) as Outcomes;
  for (const { outcome, calls } of counts) sums[outcome] += calls;
  return sums;
}

interface RequestBodiesContext extends BodySettingsContext {
  readonly projects: ProjectStore;
  readonly requests: RequestLogReader;
  readonly storedBodies: StoredBodyReader;
  readonly bodyQueue: BodyQueue;
  readonly graph: AccessGraph;
}

type RequestBodiesIds = "retrieveRequestBody" | "retrieveBodySettings" | "saveBodySettings";

export function requestBodyRoutes(context: RequestBodiesContext): Handlers<RequestBodiesIds> {
  const { requests, graph, projects, bodySettingsCache, runtime } = context;
  return {
    retrieveRequestBody: async ({ params: { request_id: id }, caller, request }): Promise<RequestBody> => {
      const details = await requests.find(id);
      const visible = listVisibleProjects(graph, caller, "api.request_bodies.read");
      if (!details || !(visible?.includes(details.request.projectId) ?? true))
        throw notFound("call", id, "request_id");
      const call = details.request;
      const look = () => readBodyState(context, call, runtime.clock.nowMs());
      const { request: asked, reply, redacted } = await readRequestBody(context, request, call, look);
      const { retentionDays } = bodySettingsCache.find(call.projectId);
      return {
        object: "request.body",
        request_id: call.id,
        kept_until: toUnixSeconds(call.atMs + retentionDays * DAY_MS),
        request: toText(asked),
        reply: reply && toText(reply),
        redacted,
      };
    },
    retrieveBodySettings: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toSettings(bodySettingsCache.find(id));
    },
    saveBodySettings: async ({ params, body, request }) =>
      toSettings(await saveBodySettings(context, request, params.project_id, body)),
  };
}

function toText({ text, isCut }: StoredText) {
  return { text, is_cut: isCut };
}

function toSettings({ mode, retentionDays, redactions }: BodySettings): BodySettingsReply {
  return {
    object: "project.body_settings",
    mode,
    retention_days: retentionDays,
    redactions: [...redactions],
  };
}
