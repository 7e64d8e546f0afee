import type { SpendLimit } from "@/lib/contract/operations/money/spend-limits";
import { NANO_PER_CENT } from "@/lib/money/amount";
import {
  deleteSpendLimit,
  findSpendLimit,
  type SpendLimitContext,
  saveSpendLimit,
} from "../../ledger/spend-limits/spend-limits";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { Scope } from "../../scope";
import type { Handlers } from "../handler";

type Ids =
  | "retrieveSpendLimit"
  | "saveSpendLimit"
  | "deleteSpendLimit"
  | "retrieveProjectSpendLimit"
  | "saveProjectSpendLimit"
  | "deleteProjectSpendLimit";

interface Context extends SpendLimitContext {
  readonly projects: ProjectStore;
}

export function spendLimitRoutes(context: Context): Handlers<Ids> {
  const { projects } = context;
  return {
    retrieveSpendLimit: async () => ({ object: "organization.spend_limit", ...describe(context, null) }),
    saveSpendLimit: async ({ body, request }) => {
      await saveSpendLimit(context, request, null, body);
      return { object: "organization.spend_limit", ...describe(context, null) };
    },
    deleteSpendLimit: async ({ request }) => {
      await deleteSpendLimit(context, request, null);
      return { object: "organization.spend_limit.deleted", deleted: true };
    },
    retrieveProjectSpendLimit: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return { object: "project.spend_limit", ...describe(context, id) };
    },
    saveProjectSpendLimit: async ({ params: { project_id: id }, body, request }) => {
      await saveSpendLimit(context, request, id, body);
      return { object: "project.spend_limit", ...describe(context, id) };
    },
    deleteProjectSpendLimit: async ({ params: { project_id: id }, request }) => {
      await deleteSpendLimit(context, request, id);
      return { object: "project.spend_limit.deleted", deleted: true };
    },
  };
}

/** @throws Refusal 404 if there is no limit. */
function describe(context: SpendLimitContext, scope: Scope): SpendLimit {
  const { limit, isRefusing } = findSpendLimit(context, scope);
  return {
    currency: context.organization.currency,
    interval: "month",
    threshold_amount: Number(limit / NANO_PER_CENT),
    enforcement: { status: isRefusing ? "enforcing" : "inactive" },
  };
}
