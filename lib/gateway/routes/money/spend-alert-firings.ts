import type {
  SpendAlertFiring,
  SpendAlertFiringsQuery,
} from "@/lib/contract/operations/money/spend-alert-firings";
import { toNullableUnixSeconds } from "../../clock";
import type { FiringWithCallback } from "../../ledger/spend-limits/spend-alert-store.sql";
import { describeFiring, type SendFiringContext, sendFiring } from "../../ledger/spend-limits/spend-alerts";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { Scope } from "../../scope";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context extends SendFiringContext {
  readonly projects: ProjectStore;
}

type Ids = "listSpendAlertFirings" | "listProjectSpendAlertFirings" | "sendSpendAlertFiring";

export function spendAlertFiringRoutes(context: Context): Handlers<Ids> {
  const { projects, firings, organization } = context;
  const list = (scope: Scope | undefined, { month, ...query }: SpendAlertFiringsQuery) => {
    const monthStartMs = month === undefined ? undefined : Date.parse(`${month}-01T00:00:00Z`);
    const firingPages = firings.pages({ scope, monthStartMs });
    return paginate(firingPages, query, (firing) => toFiring(firing, organization.currency));
  };
  return {
    listSpendAlertFirings: ({ query }) => list(undefined, query),
    listProjectSpendAlertFirings: async ({ params, query }) =>
      list((await findProject(projects, params.project_id)).id, query),
    sendSpendAlertFiring: async ({ params, request }) =>
      toFiring(await sendFiring(context, request, params.firing_id), organization.currency),
  };
}

function toFiring({ delivery, ...firing }: FiringWithCallback, currency: string): SpendAlertFiring {
  const callback = delivery && {
    status: delivery.status,
    tries: delivery.tries,
    last_tried_at: toNullableUnixSeconds(delivery.triedAtMs),
    next_try_at: toNullableUnixSeconds(delivery.dueAtMs),
    last_failure: delivery.failure,
  };
  return { ...describeFiring(firing, currency), callback };
}
