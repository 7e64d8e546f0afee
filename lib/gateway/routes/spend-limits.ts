import type { SpendLimit, SpendLimitDraft } from "@/lib/contract/operations/spend-limits";
import { type Nano, toNano } from "@/lib/money/amount";
import { NANO_PER_CENT } from "../balance/spend-alert-book";
import type { SpendBook, SpendScope } from "../balance/spend-book";
import type { SpendLimitStore } from "../balance/spend-limit-store";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { Refusal } from "../ports/refusal";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { Handlers } from "./handler";
import { refuseOtherCurrency } from "./refuse-other-currency";

type Ids =
  | "retrieveSpendLimit"
  | "saveSpendLimit"
  | "deleteSpendLimit"
  | "retrieveProjectSpendLimit"
  | "saveProjectSpendLimit"
  | "deleteProjectSpendLimit";

interface Context {
  readonly spendLimits: SpendLimitStore;
  readonly spendBook: SpendBook;
  readonly projects: ProjectStore;
  readonly organization: { readonly currency: string };
  readonly inTurn: OneAtATime;
  readonly effects: Effects;
}

export function spendLimitRoutes(context: Context): Handlers<Ids> {
  const { projects, inTurn } = context;
  return {
    retrieveSpendLimit: async () => ({ object: "organization.spend_limit", ...find(context, null) }),
    saveSpendLimit: ({ body }) =>
      inTurn(async () => ({
        object: "organization.spend_limit" as const,
        ...(await save(context, null, body)),
      })),
    deleteSpendLimit: () =>
      inTurn(async () => {
        await remove(context, null);
        return { object: "organization.spend_limit.deleted" as const, deleted: true as const };
      }),
    retrieveProjectSpendLimit: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return { object: "project.spend_limit", ...find(context, id) };
    },
    saveProjectSpendLimit: ({ params, body }) =>
      inTurn(async () => {
        const { id } = await findActiveProject(projects, params.project_id);
        return { object: "project.spend_limit" as const, ...(await save(context, id, body)) };
      }),
    deleteProjectSpendLimit: ({ params }) =>
      inTurn(async () => {
        const { id } = await findActiveProject(projects, params.project_id);
        await remove(context, id);
        return { object: "project.spend_limit.deleted" as const, deleted: true as const };
      }),
  };
}

/** @throws Refusal 404 where there is no limit. */
function find({ spendBook, organization, effects }: Context, scope: SpendScope): SpendLimit {
  const found = spendBook.find(scope, effects.clock.nowMs());
  if (found) return describe(found, organization.currency);
  const subject = scope === null ? "The organization" : `The project "${scope}"`;
  const details = scope === null ? {} : { param: "project_id" };
  throw new Refusal(404, "not_found_error", "object_not_found", `${subject} has no spend limit.`, details);
}

/** @throws Refusal 400 for another currency than the organization's. */
async function save(context: Context, scope: SpendScope, draft: SpendLimitDraft): Promise<SpendLimit> {
  const { spendLimits, spendBook, organization, effects } = context;
  refuseOtherCurrency(draft.currency, organization.currency);
  const limit = toNano(BigInt(draft.threshold_amount) * NANO_PER_CENT);
  await spendLimits.save({ scope, limit }, effects.clock.nowMs());
  spendBook.put(scope, limit);
  return find(context, scope);
}

/** @throws Refusal 404 where there is no limit. */
async function remove(context: Context, scope: SpendScope): Promise<void> {
  find(context, scope);
  await context.spendLimits.delete(scope);
  context.spendBook.put(scope, null);
}

function describe({ limit, isRefusing }: { limit: Nano; isRefusing: boolean }, currency: string): SpendLimit {
  return {
    currency,
    interval: "month",
    threshold_amount: Number(limit / NANO_PER_CENT),
    enforcement: { status: isRefusing ? "enforcing" : "inactive" },
  };
}
