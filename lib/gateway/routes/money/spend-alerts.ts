import type {
  SpendAlertFiring,
  SpendAlertFiringsQuery,
} from "@/lib/contract/operations/money/spend-alert-firings";
import type { SpendAlert, SpendAlertDraft } from "@/lib/contract/operations/money/spend-alerts";
import type { OrderedPageQuery } from "@/lib/contract/schema";
import type { ChangeRequest } from "../../changes/change";
import { toNullableUnixSeconds } from "../../clock";
import type { FiringWithCallback } from "../../ledger/spend-limits/spend-alert-store.sql";
import {
  deleteSpendAlert,
  describeFiring,
  findSpendAlert,
  type SendFiringContext,
  type SpendAlertContext,
  saveSpendAlert,
  sendFiring,
} from "../../ledger/spend-limits/spend-alerts";
import { listInMemory } from "../../lists/paged-list";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import type { Scope } from "../../scope";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context extends SpendAlertContext {
  readonly projects: ProjectStore;
}

type Ids =
  | "listSpendAlerts"
  | "createSpendAlert"
  | "retrieveSpendAlert"
  | "changeSpendAlert"
  | "deleteSpendAlert"
  | "listProjectSpendAlerts"
  | "createProjectSpendAlert"
  | "retrieveProjectSpendAlert"
  | "changeProjectSpendAlert"
  | "deleteProjectSpendAlert";

export function spendAlertRoutes(context: Context): Handlers<Ids> {
  const { projects } = context;
  const organizationAlerts = createAlertRoutes(context, "organization.spend_alert");
  const projectAlerts = createAlertRoutes(context, "project.spend_alert");
  const readProjectId = async (id: string) => (await findProject(projects, id)).id;
  return {
    listSpendAlerts: async ({ query }) => organizationAlerts.list(null, query),
    createSpendAlert: ({ body, request }) => organizationAlerts.save(request, null, null, body),
    retrieveSpendAlert: async ({ params }) => organizationAlerts.find(null, params.alert_id),
    changeSpendAlert: ({ params, body, request }) =>
      organizationAlerts.save(request, null, params.alert_id, body),
    deleteSpendAlert: ({ params, request }) => organizationAlerts.remove(request, null, params.alert_id),
    listProjectSpendAlerts: async ({ params, query }) =>
      projectAlerts.list(await readProjectId(params.project_id), query),
    createProjectSpendAlert: ({ params, body, request }) =>
      projectAlerts.save(request, params.project_id, null, body),
    retrieveProjectSpendAlert: async ({ params }) =>
      projectAlerts.find(await readProjectId(params.project_id), params.alert_id),
    changeProjectSpendAlert: ({ params, body, request }) =>
      projectAlerts.save(request, params.project_id, params.alert_id, body),
    deleteProjectSpendAlert: ({ params, request }) =>
      projectAlerts.remove(request, params.project_id, params.alert_id),
  };
}

/** The same verbs for the organization's and a project's alerts; `object` names the kind. */
function createAlertRoutes<Kind extends "organization.spend_alert" | "project.spend_alert">(
  context: Context,
  object: Kind,
) {
  const { spendAlertCache, organization } = context;
  const describe = (scope: Scope, id: string): SpendAlert & { object: Kind } => {
    const { alert, lastFiring } = findSpendAlert(spendAlertCache, scope, id);
    return {
      object,
      id,
      currency: organization.currency,
      interval: "month",
      threshold_amount: alert.thresholdCents,
      notification_channel: {
        type: "email",
        recipients: [...alert.recipients],
        subject_prefix: alert.subjectPrefix,
      },
      last_fired_at: toNullableUnixSeconds(lastFiring?.firedAtMs ?? null),
    };
  };
  return {
    find: describe,
    list: (scope: Scope, query: OrderedPageQuery) =>
      paginate(listInMemory(spendAlertCache.list(scope).map(({ alert }) => alert)), query, ({ id }) =>
        describe(scope, id),
      ),
    save: async (request: ChangeRequest, scope: Scope, id: string | null, draft: SpendAlertDraft) =>
      describe(scope, (await saveSpendAlert(context, request, scope, id, draft)).id),
    remove: async (request: ChangeRequest, scope: Scope, id: string) => {
      await deleteSpendAlert(context, request, scope, id);
      return { object: `${object}.deleted` as const, id, deleted: true as const };
    },
  };
}

interface SpendAlertFiringsContext extends SendFiringContext {
  readonly projects: ProjectStore;
}

type SpendAlertFiringsIds = "listSpendAlertFirings" | "listProjectSpendAlertFirings" | "sendSpendAlertFiring";

export function spendAlertFiringRoutes(context: SpendAlertFiringsContext): Handlers<SpendAlertFiringsIds> {
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
