"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { fetchRead } from "@/components/queries/reads/fetch-read";
import { useRead } from "@/components/queries/reads/use-read";
import { type Problem, ProblemError } from "@/lib/console/gateway/problem";
import { findNextPage, type ReadParameters } from "@/lib/console/reads/reads";
import { type RateLimitValues, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { RateLimitPair } from "@/lib/contract/operations/models/rate-limit-changes";
import type { RateLimitDefault } from "@/lib/contract/operations/models/rate-limit-defaults";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import { defaultsRead, gridReads } from "./grid-reads";
import { DEFAULTS, type LimitPair, pairKey, targetKey } from "./limit-pair";

/** Rows of a further page: their JSON is parsed within a few milliseconds. */
const PAGE = "2000";
/** The rows are shown anew after so many pages, and once all are there. */
const PAGES_SHOWN_AT_ONCE = 10;

type Rows = {
  pairs: readonly LimitPair[];
  isWhole: boolean;
  /** Why the other rows couldn't be read. */
  problem: Problem | null;
};

/**
 * Reads every pair of a project, or of all of them: the first rows with the page, the others after it, page by page.
 * They are read again when the first ones are, as after a save.
 */
export function useLimitPairs(
  projectId: string | undefined,
  mayWrite: (projectId: string) => boolean,
  shared: { readonly isShown: boolean; readonly isLocked: boolean },
) {
  const reads = useMemo(() => gridReads(projectId, false), [projectId]);
  const first = useRead(...reads.limits);
  const models = useRead(...reads.models);
  const plans = useRead(...reads.plans);
  const defaults = useRead(...defaultsRead, { enabled: shared.isShown });
  const [further, setFurther] = useState<(Rows & { of: object }) | null>(null);
  const [attempt, setAttempt] = useState(0);

  const join = useMemo(
    () =>
      models.isPending || plans.isPending
        ? null
        : joinModels(models.data?.data ?? [], plans.data?.data ?? [], mayWrite),
    [models.isPending, models.data, plans.isPending, plans.data, mayWrite],
  );
  const begun = useMemo<Rows | null>(
    () =>
      first.data && join
        ? { pairs: first.data.data.map(join), isWhole: !first.data.has_more, problem: null }
        : null,
    [first.data, join],
  );
  const { dataUpdatedAt } = first;
  const next = first.data && findNextPage(first.data);
  useEffect(() => {
    if (!begun || !join || begun.isWhole || next === undefined) return;
    const abort = new AbortController();
    const show = (rows: Rows) => setFurther({ ...rows, of: begun });
    const parameters = { ...reads.limits[1], limit: PAGE };
    void readOn(begun.pairs, next, parameters, join, abort.signal, show);
    return () => abort.abort();
    // `dataUpdatedAt`: rows that are read again may differ although the first ones don't.
  }, [begun, join, next, reads, dataUpdatedAt, attempt]);

  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  // While the rows are read again, those that are known stay.
  const listed = begun?.isWhole ? begun : (further ?? begun);
  const { isShown, isLocked } = shared;
  const rows = useMemo(() => {
    if (!listed || !isShown || !defaults.data) return listed;
    const lists = {
      models: models.data?.data ?? [],
      defaults: defaults.data.data,
      plans: plans.data?.data ?? [],
    };
    return { ...listed, pairs: [...listSharedRows(lists, isLocked), ...listed.pairs] };
  }, [listed, isShown, isLocked, models.data, defaults.data, plans.data]);
  return { first, rows, plans: plans.data?.data ?? NO_PLANS, retry };
}

async function readOn(
  begun: readonly LimitPair[],
  after: string,
  parameters: ReadParameters,
  join: (pair: RateLimitPair) => LimitPair,
  signal: AbortSignal,
  show: (rows: Rows) => void,
): Promise<void> {
  const pairs = [...begun];
  let next: string | undefined = after;
  try {
    for (let page = 1; next !== undefined; page++) {
      const reply: Awaited<ReturnType<typeof fetchRead<"listOrganizationRateLimits">>> = await fetchRead(
        "listOrganizationRateLimits",
        { ...parameters, after: next },
        signal,
      );
      if (signal.aborted) return;
      for (const pair of reply.data) pairs.push(join(pair));
      next = findNextPage(reply);
      if (next === undefined || page % PAGES_SHOWN_AT_ONCE === 0)
        show({ pairs: [...pairs], isWhole: next === undefined, problem: null });
    }
  } catch (error) {
    if (signal.aborted) return;
    const problem = error instanceof ProblemError ? error.problem : null;
    if (!problem) throw error;
    show({ pairs, isWhole: false, problem });
  }
}

const NO_PLANS: readonly LimitPlanObject[] = [];

function joinModels(
  models: readonly OrganizationModel[],
  plans: readonly LimitPlanObject[],
  mayWrite: (projectId: string) => boolean,
): (pair: RateLimitPair) => LimitPair {
  const byId = new Map(models.map((model) => [model.id, model]));
  const followed = rememberFollowed(plans);
  return (pair) => {
    const model = byId.get(pair.model);
    const plan = pair.plan_id === null ? null : followed(pair.plan_id, pair.model);
    return {
      kind: "project",
      key: pairKey(pair.project_id, pair.model),
      projectId: pair.project_id,
      projectName: pair.project_name,
      model: pair.model,
      family: model?.family ?? null,
      providers: model?.routes.map((route) => route.provider) ?? [],
      sandbox: model?.sandbox ?? false,
      limits: pair,
      ownFields: pair.own_fields,
      defaults: model ? { ...model.default_rate_limits, ...plan?.sets } : null,
      plan,
      version: pair.version,
      isLocked: !mayWrite(pair.project_id),
    };
  };
}

/** What plans set for models, made once for all projects that follow. */
function rememberFollowed(plans: readonly LimitPlanObject[]) {
  const known = new Map<string, NonNullable<LimitPair["plan"]>>();
  return (planId: string, model: string): LimitPair["plan"] => {
    const key = pairKey(planId, model);
    const plan = known.has(key) ? undefined : plans.find(({ id }) => id === planId);
    if (plan) known.set(key, { id: planId, name: plan.name, sets: readPlanLimits(plan, model) });
    return known.get(key) ?? null;
  };
}

type Own = Partial<RateLimitValues>;

/** What projects follow, as the gateway lists it. */
interface SharedLimits {
  readonly models: readonly OrganizationModel[];
  readonly defaults: readonly RateLimitDefault[];
  readonly plans: readonly LimitPlanObject[];
}

/** A plan's limits for a model, besides its limits for every model. */
export function readPlanLimits({ limits }: LimitPlanObject, model: string): Own {
  const find = (named: string | null): Own => {
    const { model: _, ...own } = limits.find((entry) => entry.model === named) ?? { model: null };
    return own;
  };
  return { ...find(null), ...(model !== "" && find(model)) };
}

/** The rows of the defaults, then each plan's; a plan's row for every model comes first. */
export function listSharedRows({ models, defaults, plans }: SharedLimits, isLocked: boolean): LimitPair[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  const ofModel = (id: string) => {
    const model = byId.get(id);
    return {
      model: id,
      family: model?.family ?? null,
      providers: model?.routes.map(({ provider }) => provider) ?? [],
      sandbox: model?.sandbox ?? false,
      plan: null,
      isLocked,
    };
  };
  const every = defaults.find(({ model }) => model === null);
  const ofDefaults = defaults.map(
    (limits): LimitPair => ({
      ...ofModel(limits.model ?? ""),
      kind: "default",
      key: targetKey({ default_id: limits.id }),
      projectId: DEFAULTS,
      projectName: "Defaults",
      limits,
      ownFields: limits.own_fields,
      defaults: limits.inherited,
      version: limits.version,
    }),
  );
  const ofPlan = (plan: LimitPlanObject, id: string): LimitPair[] => {
    const base = id === "" ? every : byId.get(id)?.default_rate_limits;
    if (!base) return [];
    const inherited = id === "" ? base : { ...base, ...readPlanLimits(plan, "") };
    const { model: _, ...own } = plan.limits.find(({ model }) => model === (id || null)) ?? { model: null };
    return [
      {
        ...ofModel(id),
        kind: "plan",
        key: pairKey(plan.id, id),
        projectId: plan.id,
        projectName: plan.name,
        limits: { ...inherited, ...own },
        ownFields: rateLimitFields.filter((field) => own[field] !== undefined),
        defaults: inherited,
        version: plan.version,
      },
    ];
  };
  const ids = ["", ...models.map(({ id }) => id)];
  return [...ofDefaults, ...plans.flatMap((plan) => ids.flatMap((id) => ofPlan(plan, id)))];
}
