import type { SpendScope } from "@/components/money/spend-scope";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { ExactTime, RelativeTime } from "@/components/ui/time/relative-time";
import { DeliveryStatus } from "@/components/ui/values/delivery-status";
import { Money } from "@/components/ui/values/money";
import type { SpendAlertFiring } from "@/lib/contract/operations/money/spend-alert-firings";
import { SendAgain } from "./send-again";

type FiringColumns = {
  scope: SpendScope;
  projects: readonly { id: string; name: string }[];
  canSend: boolean;
};

export function firingColumns({
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
