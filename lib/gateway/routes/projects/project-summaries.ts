import { computeMonthEndMs, computeMonthStartMs } from "@/lib/contract/calendar-month";
import { DAY_MS } from "@/lib/contract/durations";
import type {
  ProjectOrder,
  ProjectSummary,
  ProjectSummaryQuery,
} from "@/lib/contract/operations/projects/project-summaries";
import {
  formatAmount,
  NANO_PER_CENT,
  type Nano,
  parseCheckedAmount,
  sumAmounts,
  toNano,
} from "@/lib/money/amount";
import { listVisibleProjects } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import type { KeyStore, ProjectKeyUse } from "../../keys/key-store.sql";
import type { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { listInMemory } from "../../lists/paged-list";
import type { UsageRow, UsageSummaryReader } from "../../log/usage/usage-summary";
import type { ProjectRecord } from "../../projects/project-store.sql";
import type { ProjectCache } from "../../projects/projects";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context {
  readonly projectCache: Pick<ProjectCache, "list">;
  readonly keys: Pick<KeyStore, "listProjectUses">;
  readonly usageSummaries: Pick<UsageSummaryReader, "list">;
  readonly spendTracker: Pick<SpendTracker, "find" | "spentBy">;
  readonly graph: AccessGraph;
  readonly runtime: ClockAndRandom;
  readonly organization: { readonly currency: string };
}

/** The days whose charges say what a day costs. */
const PACE_DAYS = 7;

export function projectSummaryRoutes(context: Context): Handlers<"listProjectSummaries"> {
  return {
    listProjectSummaries: async ({ query, caller }) => {
      const visible = listVisibleProjects(context.graph, caller, "api.projects.read");
      const projects = context.projectCache
        .list()
        .filter(({ id }) => visible === null || visible.includes(id))
        .filter(({ archivedAtMs }) => isListed(query.status ?? "active", archivedAtMs !== null));
      const summaries = await summarize(context, caller, projects);
      // `before` and `after` name rows of this order, so it is made before the page is cut.
      const { order_by: orderBy, order, ...page } = query;
      const ordered = orderBy ? sortBy(summaries, orderBy, order === "desc") : inOrder(summaries, order);
      return paginate(listInMemory(ordered), page, (summary) => summary);
    },
  };
}

function isListed(status: NonNullable<ProjectSummaryQuery["status"]>, isArchived: boolean): boolean {
  return status === "all" || isArchived === (status === "archived");
}

const inOrder = <Row>(rows: readonly Row[], order: "asc" | "desc" | undefined) =>
  order === "desc" ? rows.toReversed() : rows;

/** Rows without the figure come last in both directions; equal ones stay as they were created. */
function sortBy(rows: readonly ProjectSummary[], orderBy: ProjectOrder, isDescending: boolean) {
  const known = rows.filter((row) => row[orderBy] !== null);
  const unknown = rows.filter((row) => row[orderBy] === null);
  const sign = isDescending ? -1 : 1;
  return [...known.toSorted((one, other) => sign * compare(orderBy, one, other)), ...unknown];
}

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(orderBy: ProjectOrder, one: ProjectSummary, other: ProjectSummary): number {
  if (orderBy === "name") return names.compare(one.name, other.name);
  const [first, second] = [readSize(one[orderBy]), readSize(other[orderBy])];
  return first < second ? -1 : first > second ? 1 : 0;
}

const readSize = (figure: string | number | null) =>
  typeof figure === "string" ? parseCheckedAmount(figure) : BigInt(figure ?? 0);

async function summarize(
  context: Context,
  caller: Caller,
  projects: readonly ProjectRecord[],
): Promise<ProjectSummary[]> {
  const { keys, usageSummaries, runtime } = context;
  const nowMs = runtime.clock.nowMs();
  const projectIds = projects.map(({ id }) => id);
  const read = (fromMs: number, widthMs: number) =>
    usageSummaries.list({
      filter: { projectIds },
      groupBy: "project_id",
      fromMs,
      toMs: nowMs + 1_000,
      isUntilNow: true,
      widthMs,
      latencies: "none",
      after: null,
      limit: Number.MAX_SAFE_INTEGER,
    });
  const monthStartMs = computeMonthStartMs(nowMs);
  const [month, week, uses] = await Promise.all([
    read(monthStartMs, (Math.floor(nowMs / DAY_MS) + 2) * DAY_MS),
    read(startOfPace(nowMs), DAY_MS),
    keys.listProjectUses(nowMs),
  ]);
  const facts = { month: byProject(month), week: byProject(week), uses };
  return projects.map((project) => {
    const permissions = caller.permissionsIn(project.id);
    return {
      ...describeProject(project, context.organization.currency),
      ...(permissions.has("api.usage.read")
        ? describeSpend(context, project.id, facts, nowMs)
        : { spent_amount: null, forecast_amount: null, requests: null, refusals: null }),
      ...(permissions.has("api.spend_limits.read")
        ? describeLimit(context, project.id, facts, nowMs)
        : { limit_amount: null, limit_reached_at: null }),
      ...(permissions.has("api.project_api_keys.read")
        ? describeKeys(uses.get(project.id))
        : { keys: null, last_used_at: null }),
    };
  });
}

function describeProject({ id, name, archivedAtMs, createdAtMs }: ProjectRecord, currency: string) {
  return {
    object: "organization.project_summary" as const,
    id,
    name,
    status: archivedAtMs === null ? ("active" as const) : ("archived" as const),
    created_at: toUnixSeconds(createdAtMs),
    currency,
  };
}

type Rows = ReadonlyMap<string, readonly UsageRow[]>;
type Facts = { readonly month: Rows; readonly week: Rows };

function byProject(rows: readonly UsageRow[]): Rows {
  const found = new Map<string, UsageRow[]>();
  for (const row of rows) {
    if (row.group !== null) found.set(row.group, [...(found.get(row.group) ?? []), row]);
  }
  return found;
}

function describeSpend(context: Context, projectId: string, facts: Facts, nowMs: number) {
  const [month] = facts.month.get(projectId) ?? [];
  const soFar = monthSoFar(context, projectId, facts, nowMs);
  return {
    spent_amount: formatAmount(soFar.spent),
    forecast_amount: formatAmount(toWholeCents(forecastMonth(soFar))),
    requests: month?.requests ?? 0,
    refusals: month?.refusals ?? 0,
  };
}

/** A forecast is no more exact than that. Rounded up, so that it never reads as less than what was spent. */
const toWholeCents = (amount: Nano) =>
  toNano(((amount + NANO_PER_CENT - 1n) / NANO_PER_CENT) * NANO_PER_CENT);

function describeLimit(context: Context, projectId: string, facts: Facts, nowMs: number) {
  const limit = context.spendTracker.find(projectId, nowMs)?.limit;
  if (limit === undefined) return { limit_amount: null, limit_reached_at: null };
  const reachedMs = findLimitReachedMs(limit, monthSoFar(context, projectId, facts, nowMs));
  return {
    limit_amount: formatAmount(limit),
    limit_reached_at: reachedMs === null ? null : toUnixSeconds(reachedMs),
  };
}

function describeKeys(use: ProjectKeyUse | undefined) {
  const lastUsedAtMs = use?.lastUsedAtMs ?? null;
  return {
    keys: use?.active ?? 0,
    last_used_at: lastUsedAtMs === null ? null : toUnixSeconds(lastUsedAtMs),
  };
}

function monthSoFar(context: Context, projectId: string, { week }: Facts, nowMs: number) {
  const rows = (week.get(projectId) ?? []).filter(({ amount }) => amount > 0n);
  const firstMs = Math.min(nowMs, ...rows.map(({ startMs }) => startMs));
  return {
    spent: toNano(context.spendTracker.spentBy(projectId, nowMs)),
    nowMs,
    endMs: computeMonthEndMs(nowMs),
    pace: { charged: sumAmounts(rows.map(({ amount }): Nano => amount)), ms: nowMs - firstMs },
  };
}

/** The first day is whole, so that what a day costs doesn't depend on the hour. */
const startOfPace = (nowMs: number) => nowMs - (nowMs % DAY_MS) - (PACE_DAYS - 1) * DAY_MS;

/** What was charged in a time until now, in milliseconds. */
interface SpendPace {
  readonly charged: Nano;
  readonly ms: number;
}

interface MonthSoFar {
  readonly spent: Nano;
  readonly nowMs: number;
  readonly endMs: number;
  readonly pace: SpendPace;
}

/** The month's total if its remaining days cost what the pace says. Exact to a second of the pace. */
export function forecastMonth({ spent, nowMs, endMs, pace }: MonthSoFar): Nano {
  const leftMs = BigInt(Math.max(0, endMs - nowMs));
  return toNano(spent + (pace.charged * leftMs) / paceMs(pace));
}

/** When a month's charges reach a limit at the pace: now if they have; null if not before the month ends. */
export function findLimitReachedMs(limit: Nano, { spent, nowMs, endMs, pace }: MonthSoFar): number | null {
  if (spent >= limit) return nowMs;
  if (pace.charged <= 0n) return null;
  const afterMs = Number(((limit - spent) * paceMs(pace)) / pace.charged);
  return nowMs + afterMs < endMs ? nowMs + afterMs : null;
}

/** At least a second. */
const paceMs = ({ ms }: SpendPace) => BigInt(Math.max(1_000, Math.round(ms)));
