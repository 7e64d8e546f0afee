import type { OperationId } from "@/lib/contract/operation-table";
import { formatAmount, NANO_PER_CENT, parseCheckedAmount, toNano } from "@/lib/money/amount";
import type { DeclaredAlert } from "../../configuration/declared-objects";
import type { Scope } from "../../scope";
import {
  after,
  type DeclaredObject,
  type FileDraft,
  findNamedProject,
  listActiveProjects,
  projectIn,
  type Section,
  type SettingsView,
} from "../section";

/** Where a limit or an alert counts: in the organization, or in a project. */
interface Place {
  readonly part: "organization" | "projects";
  readonly operations: Readonly<
    Record<"saveLimit" | "deleteLimit" | "createAlert" | "changeAlert" | "deleteAlert", OperationId>
  >;
  /** The scopes, each with its entry in a file that is written. */
  list(view: SettingsView): { readonly scope: Scope; entry(file: FileDraft): Spending }[];
  declare(file: FileDraft): { readonly path: readonly string[]; readonly spending: Spending }[];
  find(view: SettingsView, path: readonly string[]): Scope;
}

interface Spending {
  spend_limit?: string | null | undefined;
  spend_alerts?: DeclaredAlert[] | undefined;
}

const organization: Place = {
  part: "organization",
  operations: {
    saveLimit: "saveSpendLimit",
    deleteLimit: "deleteSpendLimit",
    createAlert: "createSpendAlert",
    changeAlert: "changeSpendAlert",
    deleteAlert: "deleteSpendAlert",
  },
  list: () => [{ scope: null, entry: (file) => (file.organization ??= {}) }],
  declare: (file) => (file.organization ? [{ path: ["organization"], spending: file.organization }] : []),
  find: () => null,
};

const project: Place = {
  part: "projects",
  operations: {
    saveLimit: "saveProjectSpendLimit",
    deleteLimit: "deleteProjectSpendLimit",
    createAlert: "createProjectSpendAlert",
    changeAlert: "changeProjectSpendAlert",
    deleteAlert: "deleteProjectSpendAlert",
  },
  list: ({ projectCache }) =>
    listActiveProjects(projectCache).map(({ id, name }) => ({
      scope: id,
      entry: (file) => projectIn(file, name),
    })),
  declare: ({ projects = [] }) =>
    projects.map((spending) => ({ path: ["projects", spending.name], spending })),
  find: (view, [, name = ""]) => findNamedProject(view, name).id,
};

const toDecimal = (cents: number) => formatAmount(toNano(BigInt(cents) * NANO_PER_CENT));
const toCents = (text: string) => Number(parseCheckedAmount(text) / NANO_PER_CENT);
const toParams = (scope: Scope): Record<string, string> => (scope === null ? {} : { project_id: scope });

function spendLimitOf(place: Place): Section {
  const { operations } = place;
  return {
    part: place.part,
    inside: "spend_limit",
    reads: ["api.spend_limits.read"],
    isImplicit: true,
    write(view, file) {
      for (const { scope, entry } of place.list(view)) {
        const account = view.spendTracker.find(scope, view.runtime.clock.nowMs());
        if (account) entry(file).spend_limit = formatAmount(account.limit);
      }
    },
    declare: (file) =>
      place.declare(file).flatMap(({ path, spending: { spend_limit: limit } }): DeclaredObject[] => {
        const fields = limit ? { amount: toDecimal(toCents(limit)) } : {};
        return limit === undefined ? [] : [{ path: [...path, "spend_limit"], fields }];
      }),
    covers: () => () => false,
    calls(view, change) {
      const params = toParams(place.find(view, change.path));
      const { amount } = after(change) as { amount?: string | null };
      if (!amount) return [{ id: operations.deleteLimit, params }];
      const { currency } = view.organization;
      const body = { currency, interval: "month", threshold_amount: toCents(amount) };
      return [{ id: operations.saveLimit, params, body }];
    },
  };
}

function spendAlertsOf(place: Place): Section {
  const { operations } = place;
  return {
    part: place.part,
    inside: "spend_alerts",
    reads: ["api.spend_alerts.read"],
    isImplicit: true,
    write(view, file) {
      for (const { scope, entry } of place.list(view)) {
        const alerts = view.spendAlertCache.list(scope).map(({ alert }) => ({
          at: toDecimal(alert.thresholdCents),
          recipients: [...alert.recipients],
          ...(alert.subjectPrefix !== null && { subject_prefix: alert.subjectPrefix }),
        }));
        if (alerts.length > 0) entry(file).spend_alerts = alerts.toSorted(byThreshold);
      }
    },
    declare: (file) =>
      place.declare(file).flatMap(({ path, spending: { spend_alerts: alerts } }): DeclaredObject[] => {
        if (alerts === undefined) return [];
        const list = alerts.toSorted(byThreshold).map(({ at, recipients, subject_prefix }) => ({
          at: toDecimal(toCents(at)),
          recipients,
          ...(subject_prefix && { subject_prefix }),
        }));
        return [{ path: [...path, "spend_alerts"], fields: list.length > 0 ? { alerts: list } : {} }];
      }),
    covers: () => () => false,
    calls(view, change) {
      const scope = place.find(view, change.path);
      const params = toParams(scope);
      const { alerts } = after(change) as { alerts?: DeclaredAlert[] | null };
      const wanted = new Map((alerts ?? []).map((alert) => [toCents(alert.at), alert]));
      const existing = view.spendAlertCache.list(scope).map(({ alert }) => alert);
      const body = ({ at, recipients, subject_prefix = null }: DeclaredAlert) => ({
        currency: view.organization.currency,
        interval: "month",
        threshold_amount: toCents(at),
        notification_channel: { type: "email", recipients, subject_prefix },
      });
      const kept = existing.flatMap(({ id, thresholdCents }) => {
        const alert = wanted.get(thresholdCents);
        wanted.delete(thresholdCents);
        const alertParams = { ...params, alert_id: id };
        return alert
          ? [{ id: operations.changeAlert, params: alertParams, body: body(alert) }]
          : [{ id: operations.deleteAlert, params: alertParams }];
      });
      const created = [...wanted.values()].map((alert) => ({
        id: operations.createAlert,
        params,
        body: body(alert),
      }));
      return [...kept, ...created];
    },
  };
}

const byThreshold = (one: DeclaredAlert, other: DeclaredAlert) => toCents(one.at) - toCents(other.at);

export const spending: readonly Section[] = [organization, project].flatMap((place) => [
  spendLimitOf(place),
  spendAlertsOf(place),
]);
