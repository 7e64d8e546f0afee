import {
  editLimits,
  ORGANIZATION_DEFAULTS,
  type RateLimitField,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import type { CatalogueModel } from "../../models/catalogue";
import { findOwn } from "../../models/limit-defaults";
import type { LimitPlace } from "../limit-change-store.sql";
import { EVERY_MODEL } from "../limit-plan-store.sql";
import { keyOf, type LimitTargetContext, type PlannedChange, placeOf } from "../plan-limit-changes";
import type { OwnLimits } from "../rate-limit-store.sql";
import type { DraftedPair } from "./replay-limits";

/** Pairs looked at before other requests are served: a few milliseconds. */
const LOOKED_AT_ONCE = 2_000;

/** A project and model whose limits a draft changes, with the change that does it. */
export interface AffectedPair {
  readonly pair: DraftedPair;
  /** The position of the most particular change that changes one of its limits. */
  readonly by: number;
}

/** A set of limits, the more particular the later: each overrides those before it. */
interface Layer {
  readonly own: OwnLimits;
  /** The draft's change of this layer, with its position; null if it changes nothing here. */
  readonly draft: { readonly edit: LimitEdit; readonly by: number } | null;
}

/**
 * The pairs whose limits a draft would change, with what they would be then. A change of a plan or of defaults reaches
 * every project that follows, except for limits that something more particular sets.
 */
export async function listAffectedPairs(
  context: LimitTargetContext,
  planned: readonly PlannedChange[],
): Promise<AffectedPair[]> {
  const readLayers = await openLayers(context, planned);
  const found: AffectedPair[] = [];
  let looks = 0;
  for (const { projectId, model } of listCandidates(context, planned)) {
    if (++looks % LOOKED_AT_ONCE === 0) await new Promise(setImmediate);
    const layers = readLayers(projectId, model);
    const fields = rateLimitFields.filter((field) => isChanged(layers, field));
    const by = layers.findLast(({ draft }) => draft && fields.some((field) => field in draft.edit))?.draft
      ?.by;
    if (by !== undefined)
      found.push({ pair: { projectId, model: model.id, limits: resolve(context, layers), fields }, by });
  }
  return found;
}

/** What a draft could change: its own pairs, and those that follow its plans and defaults. */
function* listCandidates(
  { projectCache, catalogue, limitPlanCache }: LimitTargetContext,
  planned: readonly PlannedChange[],
): Generator<{ readonly projectId: string; readonly model: CatalogueModel }> {
  const own = new Set<string>();
  for (const { target } of planned) {
    if (target.kind !== "project") continue;
    const model = catalogue.find(target.model.id);
    if (!model) continue;
    own.add(keyOf(placeOf(target)));
    yield { projectId: target.project.id, model };
  }
  const shared = planned.map(({ target }) => target).filter(({ kind }) => kind !== "project");
  if (shared.length === 0) return;
  for (const { id, archivedAtMs } of projectCache.list()) {
    if (archivedAtMs !== null) continue;
    const plan = limitPlanCache.planOf(id);
    const reaching = shared.filter((target) => target.kind !== "plan" || target.plan.id === plan?.id);
    if (reaching.length === 0) continue;
    const named = new Set(reaching.map((target) => (target.kind === "project" ? "" : target.modelId)));
    for (const model of catalogue.list())
      if (named.has(EVERY_MODEL) || named.has(model.id))
        if (!own.has(keyOf({ projectId: id, planId: null, model: model.id }))) yield { projectId: id, model };
  }
}

async function openLayers(context: LimitTargetContext, planned: readonly PlannedChange[]) {
  const { limitPlanCache, rateLimitCache } = context;
  const stored = await context.models.limitDefaults.list();
  const drafts = new Map(
    planned.map(({ target, edit }, by) => [keyOf(placeOf(target)), { edit, by }] as const),
  );
  const layer = (own: OwnLimits, place: LimitPlace): Layer => ({
    own,
    draft: drafts.get(keyOf(place)) ?? null,
  });
  const everyDefault = { projectId: null, planId: null, model: EVERY_MODEL };
  return (projectId: string, model: CatalogueModel): Layer[] => {
    const plan = limitPlanCache.planOf(projectId);
    const ofPlan = (modelId: string) =>
      plan
        ? [layer(plan.limits.get(modelId) ?? {}, { projectId: null, planId: plan.id, model: modelId })]
        : [];
    return [
      layer(findOwn(stored, ORGANIZATION_DEFAULTS), everyDefault),
      { own: model.definedRateLimits, draft: null },
      layer(findOwn(stored, model.id), { ...everyDefault, model: model.id }),
      ...ofPlan(EVERY_MODEL),
      ...ofPlan(model.id),
      layer(rateLimitCache.ownLimits(projectId, model.id), { projectId, planId: null, model: model.id }),
    ];
  };
}

const drafted = ({ own, draft }: Layer): OwnLimits => (draft ? editLimits(own, draft.edit) : own);

/** Whether the draft says something about a limit that nothing more particular sets anyway. */
function isChanged(layers: readonly Layer[], field: RateLimitField): boolean {
  const said = layers.findLastIndex(({ draft }) => draft?.edit[field] !== undefined);
  return said !== -1 && layers.slice(said + 1).every(({ own }) => own[field] === undefined);
}

function resolve(
  { defaultRateLimits }: Pick<LimitTargetContext, "defaultRateLimits">,
  layers: readonly Layer[],
): RateLimitValues {
  return layers.reduce<RateLimitValues>(
    (limits, layer) => ({ ...limits, ...drafted(layer) }),
    defaultRateLimits,
  );
}
