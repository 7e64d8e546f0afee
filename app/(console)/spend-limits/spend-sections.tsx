"use client";

import { Bell, BellRing, Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import {
  alertRead,
  firingRead,
  type KnownAlert,
  nameSpendScope,
  type SpendScope,
} from "@/components/money/spend-reads";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { PagedTable } from "@/components/ui/table/paged-table";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { ExactTime, RelativeTime } from "@/components/ui/time/shown-time";
import { DeliveryStatus } from "@/components/ui/values/delivery-status";
import { Money } from "@/components/ui/values/money";
import type { SpendAlertFiring } from "@/lib/contract/operations/money/spend-alert-firings";
import { formatCents } from "@/lib/money/amount";
import { deleteSpendAlert, sendFiring } from "./spend-actions";
import { SpendLimitSection } from "./spend-limit-section";

type SpendSectionsProps = SpendScope & {
  /** Names of the projects whose alerts fired. */
  projects: readonly { id: string; name: string }[];
  /** Shown between the limit and the alerts. */
  children?: ReactNode;
};

/** The spend limit, the alerts and their firings. */
export function SpendSections({ projects, children, ...scope }: SpendSectionsProps) {
  return (
    <div className="grid gap-10">
      {scope.may("api.spend_limits.read") && <SpendLimitSection {...scope} />}
      {children}
      {scope.may("api.spend_alerts.read") && (
        <>
          <SpendAlertSection {...scope} />
          <FiringSection {...scope} projects={projects} />
        </>
      )}
    </div>
  );
}

/** Polling interval while firings are shown, since a delivery may be under way. */
const POLL_MS = 10_000;

type FiringSectionProps = SpendScope & { projects: readonly { id: string; name: string }[] };

/** The alerts that fired, and whether their callbacks arrived. */
function FiringSection({ projects, ...scope }: FiringSectionProps) {
  const [id, parameters] = firingRead(scope);
  const firings = useReadRows<"listSpendAlertFirings" | "listProjectSpendAlertFirings">(id, parameters, {
    refetchInterval: POLL_MS,
  });
  // Sending again needs the organization's permission.
  const canSend = scope.project === null && scope.may("api.spend_alerts.write");
  return (
    <Section
      title="Fired alerts and their delivery"
      description="Each is sent to the configured callback, with up to ten tries over 75 hours."
    >
      <ReadState
        read={firings}
        to={`list when the alerts of ${nameSpendScope(scope)} fired`}
        skeleton={<TableSkeleton rows={3} columns={6} />}
        empty={
          <EmptyState icon={BellRing} title="No alert has fired">
            When a month’s cost reaches an alert’s threshold, the alert is listed here with its delivery.
          </EmptyState>
        }
      >
        {(data) => (
          <PagedTable
            read={firings}
            noun="fired alert"
            caption="Fired alerts, newest first"
            columns={firingColumns({ scope, projects, canSend })}
            rows={data}
            rowId={(firing) => firing.id}
          />
        )}
      </ReadState>
    </Section>
  );
}

const CreateAlertDialog = loadOnClient(() =>
  import("./spend-alert-dialogs").then((file) => file.CreateSpendAlert),
);

/** Thresholds of monthly spend, with the people to notify. */
function SpendAlertSection(scope: SpendScope) {
  const [id, parameters] = alertRead(scope);
  const alerts = useRead<"listSpendAlerts" | "listProjectSpendAlerts">(id, parameters);
  const canWrite = scope.may("api.spend_alerts.write");
  const dialog = useFormDialog("new-spend-alert", canWrite);
  const createButton = canWrite && <CreateButton noun="alert" variant="secondary" onClick={dialog.open} />;
  return (
    <ListSection
      title="Spend alerts"
      description="Each fires once a month, when calls have cost this much. Alerts don’t refuse calls."
      read={alerts}
      to={`list the spend alerts of ${nameSpendScope(scope)}`}
      size={{ rows: 2, columns: 4 }}
      empty={{
        icon: Bell,
        title: "No spend alerts yet",
        example: `For example at 400.00 ${scope.currency}, sent to finance@example.com.`,
        children: "An alert notifies people early if a month costs more than planned.",
      }}
      add={createButton}
      dialog={dialog.isOpen && <CreateAlertDialog scope={scope} close={dialog.close} />}
    >
      {({ data, has_more: hasMore }) => (
        <>
          <SortedTable
            caption={`Spend alerts of ${nameSpendScope(scope)}`}
            columns={alertColumns(scope, { canWrite })}
            rows={data}
            rowId={(alert) => alert.id}
          />
          {hasMore && <FirstRowsNote shown={data.length} />}
        </>
      )}
    </ListSection>
  );
}

type FiringColumns = {
  scope: SpendScope;
  projects: readonly { id: string; name: string }[];
  canSend: boolean;
};

function firingColumns({
  scope: { project, currency },
  projects,
  canSend,
}: FiringColumns): readonly Column<SpendAlertFiring>[] {
  const findScopeName = (id: string | null) =>
    id === null ? "Organization" : (projects.find((one) => one.id === id)?.name ?? id);
  const columns: readonly (Column<SpendAlertFiring> | false)[] = [
    {
      id: "fired",
      header: "Fired",
      apiName: "fired_at",
      width: "w-36",
      cell: (firing) => <RelativeTime at={firing.fired_at} />,
    },
    project === null && {
      id: "project",
      header: "For",
      apiName: "project_id",
      cell: (firing) => <span className="wrap-anywhere">{findScopeName(firing.project_id)}</span>,
    },
    {
      id: "threshold",
      header: "Threshold",
      unit: currency,
      apiName: "threshold",
      numeric: true,
      amount: ({ threshold }) => threshold,
      cell: ({ threshold }) => <Money amount={threshold} />,
    },
    {
      id: "spent",
      header: "Spent",
      unit: currency,
      apiName: "spent",
      numeric: true,
      wide: true,
      phone: "hidden",
      amount: ({ spent }) => spent,
      cell: ({ spent }) => <Money amount={spent} />,
    },
    {
      id: "delivery",
      header: "Delivery",
      apiName: "callback",
      cell: (firing) => <Delivery {...firing} />,
    },
    canSend &&
      actionsColumn({
        width: "w-28",
        cell: (firing) => firing.callback && <SendAgain firing={firing} />,
      }),
  ];
  return columns.filter((column) => column !== false);
}

/** A callback's state: attempts so far, the next attempt and the last error. */
function Delivery({ callback }: SpendAlertFiring) {
  if (callback === null) return <span className="text-muted">no callback is configured</span>;
  const { status, tries, last_tried_at: triedAt, next_try_at: dueAt, last_failure: failure } = callback;
  return (
    <span className="grid justify-items-start gap-0.5 py-1">
      <DeliveryStatus status={status} tries={tries} />
      <span className="text-sm text-muted">
        {tries === 1 ? "1 try" : `${tries} tries`}
        {triedAt !== null && (
          <>
            , the last <RelativeTime at={triedAt} />
          </>
        )}
        {status === "pending" && dueAt !== null && (
          <>
            ; next at <ExactTime at={dueAt} />
          </>
        )}
      </span>
      {status !== "delivered" && failure && <span className="text-sm wrap-anywhere">{failure}</span>}
    </span>
  );
}

function alertColumns(scope: SpendScope, { canWrite }: { canWrite: boolean }): readonly Column<KnownAlert>[] {
  const columns: readonly Column<KnownAlert>[] = [
    {
      id: "threshold",
      header: "Threshold",
      unit: scope.currency,
      apiName: "threshold_amount",
      width: "w-40",
      sortValue: (alert) => alert.threshold_amount,
      cell: (alert) => (
        <span className="font-medium">
          <Money amount={formatCents(alert.threshold_amount)} />
        </span>
      ),
    },
    {
      id: "recipients",
      header: "Recipients",
      apiName: "notification_channel",
      cell: ({ notification_channel: channel }) => (
        <span className="wrap-anywhere">{channel.recipients.join(", ")}</span>
      ),
    },
    {
      id: "fired",
      header: "Last fired",
      apiName: "last_fired_at",
      width: "w-40",
      sortValue: (alert) => alert.last_fired_at ?? 0,
      cell: (alert) =>
        alert.last_fired_at === null ? (
          <span className="text-muted">never</span>
        ) : (
          <RelativeTime at={alert.last_fired_at} />
        ),
    },
  ];
  if (!canWrite) return columns;
  const actions = actionsColumn<KnownAlert>({
    width: "w-32",
    cell: (alert) => (
      <>
        <HistoryLink
          id={alert.id}
          projectId={scope.project?.id}
          rowName={`${formatCents(alert.threshold_amount)} ${scope.currency}`}
        />
        <EditSpendAlert scope={scope} alert={alert} />
        <DeleteSpendAlert scope={scope} alert={alert} />
      </>
    ),
  });
  return [...columns, actions];
}

function DeleteSpendAlert({ scope, alert }: { scope: SpendScope; alert: KnownAlert }) {
  const amount = `${formatCents(alert.threshold_amount)} ${alert.currency}`;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the alert at ${formatCents(alert.threshold_amount)}`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title={`Delete the alert at ${amount}?`}
      confirmLabel="Delete alert"
      action={deleteSpendAlert}
      input={{ projectId: scope.project?.id ?? null, alertId: alert.id, version: alert.version }}
      refetch={["listSpendAlerts", "listProjectSpendAlerts"]}
      done={() => `Alert at ${amount} deleted`}
      gone={`The alert at ${amount} had already been deleted.`}
    >
      No one is notified any more when a month of {nameSpendScope(scope)} costs that much. Earlier firings
      stay listed.
    </ConfirmedAction>
  );
}

/** Sends a fired alert's callback again, with new attempts from the first on. */
function SendAgain({ firing }: { firing: SpendAlertFiring }) {
  const send = useAction(sendFiring, {
    refetch: ["listSpendAlertFirings", "listProjectSpendAlertFirings"],
    onSuccess: () => void toast({ message: "It is being sent again" }),
    onError: ({ problem }) => void toast({ message: problem.message, tone: "bad" }),
  });
  return (
    <Button size="small" pending={send.isPending} onClick={() => send.mutate({ firingId: firing.id })}>
      Send again<span className="sr-only"> what reached {firing.threshold}</span>
    </Button>
  );
}

const EditAlertDialog = loadOnClient(() =>
  import("./spend-alert-dialogs").then((file) => file.EditSpendAlertDialog),
);

function EditSpendAlert({ scope, alert }: { scope: SpendScope; alert: KnownAlert }) {
  const formName = `spend-alert-${alert.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Change the alert at ${formatCents(alert.threshold_amount)}`}
        icon={<Pencil />}
        onClick={dialog.open}
      />
      {dialog.isOpen && (
        <EditAlertDialog scope={scope} alert={alert} formName={formName} close={dialog.close} />
      )}
    </>
  );
}
