import type { SpendAlert, SpendAlertDraft } from "@/lib/contract/operations/spend-alerts";
import type { OrderedPageQuery } from "@/lib/contract/schema";
import {
  deleteSpendAlert,
  findSpendAlert,
  type SpendAlertContext,
  saveSpendAlert,
} from "../balance/save-spend-alert";
import type { SpendScope } from "../balance/spend-book";
import type { OneAtATime } from "../ports/one-at-a-time";
import { listInMemory } from "../ports/paged-list";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { refuseOtherCurrency } from "./refuse-other-currency";
import { toNullableUnixSeconds } from "./unix-seconds";

interface Context extends SpendAlertContext {
  readonly projects: ProjectStore;
  readonly organization: { readonly currency: string };
  readonly inTurn: OneAtATime;
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
  const ofOrganization = alertsOf(context, "organization.spend_alert");
  const ofProject = alertsOf(context, "project.spend_alert");
  const read = async (id: string) => (await findProject(projects, id)).id;
  const change = async (id: string) => (await findActiveProject(projects, id)).id;
  return {
    listSpendAlerts: async ({ query }) => ofOrganization.list(null, query),
    createSpendAlert: ({ body }) => ofOrganization.save(async () => null, null, body),
    retrieveSpendAlert: async ({ params }) => ofOrganization.find(null, params.alert_id),
    changeSpendAlert: ({ params, body }) => ofOrganization.save(async () => null, params.alert_id, body),
    deleteSpendAlert: ({ params }) => ofOrganization.remove(async () => null, params.alert_id),
    listProjectSpendAlerts: async ({ params, query }) => ofProject.list(await read(params.project_id), query),
    createProjectSpendAlert: ({ params, body }) =>
      ofProject.save(() => change(params.project_id), null, body),
    retrieveProjectSpendAlert: async ({ params }) =>
      ofProject.find(await read(params.project_id), params.alert_id),
    changeProjectSpendAlert: ({ params, body }) =>
      ofProject.save(() => change(params.project_id), params.alert_id, body),
    deleteProjectSpendAlert: ({ params }) =>
      ofProject.remove(() => change(params.project_id), params.alert_id),
  };
}

/** The same verbs for the organization's alerts and a project's, told apart by `object`. `toScope` checks the project. */
function alertsOf<Kind extends "organization.spend_alert" | "project.spend_alert">(
  context: Context,
  object: Kind,
) {
  const { spendAlertBook, organization, inTurn } = context;
  const describe = (scope: SpendScope, id: string): SpendAlert & { object: Kind } => {
    const { alert, lastFiring } = findSpendAlert(spendAlertBook, scope, id);
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
    list: (scope: SpendScope, query: OrderedPageQuery) =>
      paginate(listInMemory(spendAlertBook.list(scope).map(({ alert }) => alert)), query, ({ id }) =>
        describe(scope, id),
      ),
    save: (toScope: () => Promise<SpendScope>, id: string | null, draft: SpendAlertDraft) =>
      inTurn(async () => {
        const scope = await toScope();
        refuseOtherCurrency(draft.currency, organization.currency);
        return describe(scope, (await saveSpendAlert(context, scope, id, draft)).id);
      }),
    remove: (toScope: () => Promise<SpendScope>, id: string) =>
      inTurn(async () => {
        await deleteSpendAlert(context, await toScope(), id);
        return { object: `${object}.deleted` as const, id, deleted: true as const };
      }),
  };
}
