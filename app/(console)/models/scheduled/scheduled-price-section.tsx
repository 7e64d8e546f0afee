"use client";

import { useQueryClient } from "@tanstack/react-query";
import { CalendarClock, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { DateTime } from "@/components/ui/time/date-time";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { ScheduledPrice } from "@/lib/contract/operations/models/scheduled-prices";
import { deleteScheduledPrice } from "../actions";
import type { LastMonthReads } from "../prices/last-month";
import { scheduledPricesRead } from "./price-reads";
import { describePrice } from "./price-versions";

const SchedulePrice = loadOnClient(() => import("./schedule-price").then((file) => file.SchedulePrice));

type ScheduledPriceSectionProps = {
  model: OrganizationModel;
  /** Null if the person can't see usage. */
  lastMonth: LastMonthReads | null;
  canWrite: boolean;
};

/** Why a price whose time has come has not taken effect. */
const waitNotes = {
  clock: "Due. It waits up to ten minutes, since the gateway’s clock may be wrong.",
  model: "Due. It waits, since the model can’t have this price as it is configured now.",
} as const satisfies Record<NonNullable<ScheduledPrice["waits_for"]>, string>;

/** A model's scheduled price changes. */
export function ScheduledPriceSection({ model, lastMonth, canWrite }: ScheduledPriceSectionProps) {
  const scheduled = useRefreshedPrices(model.id);
  const dialog = useFormDialog("new-scheduled-price", canWrite);
  if (!canWrite && isEmpty(scheduled.data)) return null;
  return (
    <Section
      title="Scheduled prices"
      description="Each takes effect automatically, within a second of its time. Calls admitted before then keep their price."
      actions={
        canWrite && (
          <Button onClick={dialog.open}>
            <CalendarClock aria-hidden />
            Schedule a price
          </Button>
        )
      }
    >
      <ReadState
        read={scheduled}
        to="list the scheduled prices"
        skeleton={<TableSkeleton rows={1} columns={3} />}
        empty={<p className="text-sm text-muted">No price change is scheduled.</p>}
      >
        {({ data }) => (
          <DataTable
            caption="Scheduled prices"
            columns={buildColumns(model, canWrite)}
            rows={data}
            rowId={(price) => price.id}
          />
        )}
      </ReadState>
      {dialog.isOpen && <SchedulePrice model={model} lastMonth={lastMonth} close={dialog.close} />}
    </Section>
  );
}

function buildColumns(
  { id, currency }: OrganizationModel,
  canWrite: boolean,
): readonly Column<ScheduledPrice>[] {
  const columns: readonly Column<ScheduledPrice>[] = [
    {
      id: "effective_at",
      header: "Takes effect",
      apiName: "effective_at",
      width: "w-56",
      cell: ({ effective_at, waits_for }) => (
        <>
          <DateTime at={effective_at} />
          {waits_for && <p className="text-sm text-muted">{waitNotes[waits_for]}</p>}
        </>
      ),
    },
    {
      id: "change",
      header: "Change",
      unit: currency,
      cell: (price) => describePrice(price).join(" · "),
    },
  ];
  if (!canWrite) return columns;
  const actions = actionsColumn<ScheduledPrice>({
    width: "w-24",
    cell: (price) => <DeleteScheduledPrice modelId={id} price={price} />,
  });
  return [...columns, actions];
}

const POLL_MS = 5_000;

/** A model's scheduled prices. When one takes effect, the model and its price history are read again too. */
function useRefreshedPrices(modelId: string) {
  const queryClient = useQueryClient();
  const [id, parameters] = scheduledPricesRead(modelId);
  const known = useRef<readonly string[]>([]);
  const scheduled = useRead(id, parameters, { refetchInterval: POLL_MS });
  const { data } = scheduled;
  useEffect(() => {
    if (!data) return;
    const ids = data.data.map((price) => price.id);
    const isOneGone = known.current.some((one) => !ids.includes(one));
    known.current = ids;
    if (!isOneGone) return;
    for (const read of ["listOrganizationModels", "listAuditLogs"] as const) {
      void queryClient.invalidateQueries({ queryKey: buildReadKey(read) });
    }
  }, [data, queryClient]);
  return scheduled;
}

function DeleteScheduledPrice({ modelId, price }: { modelId: string; price: ScheduledPrice }) {
  const words = describePrice(price).join(", ");
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the scheduled price: ${words}`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title="Delete the scheduled price?"
      confirmLabel="Delete scheduled price"
      action={deleteScheduledPrice}
      input={{ modelId, scheduledPriceId: price.id, version: price.version }}
      refetch={["listScheduledPrices", "listOrganizationModels", "listAuditLogs"]}
      done={() => "Scheduled price deleted"}
      gone={`Nothing was deleted: ${words} is no longer scheduled. It took effect, or somebody else deleted it. The price history shows which.`}
    >
      The change of {modelId} to {words} won’t take effect. Its present price stays.
    </ConfirmedAction>
  );
}
