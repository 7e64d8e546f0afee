"use client";

import { describePerson } from "@/components/audit-log/describe-event";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { DateTime } from "@/components/ui/time/date-time";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { priceHistoryRead } from "./price-reads";
import { describePrice, type PriceVersion, readPriceVersions } from "./price-versions";

/** A model's former prices, with the time of each change and the person who made it. */
export function PriceHistory({ model }: { model: OrganizationModel }) {
  const [id, parameters] = priceHistoryRead(model.id);
  const events = useRead(id, parameters);
  return (
    <Section
      title="Price history"
      description="The latest changes. A call is charged at the price at which it was admitted."
    >
      <ReadState read={events} to="list the price history" skeleton={<TableSkeleton rows={2} columns={3} />}>
        {({ data }) => {
          const versions = readPriceVersions(data);
          return versions.length === 0 ? (
            <p className="text-sm text-muted">The price has never changed.</p>
          ) : (
            <DataTable
              caption="Price history"
              columns={buildColumns(model.currency)}
              rows={versions}
              rowId={({ event }) => event?.id ?? "before"}
            />
          );
        }}
      </ReadState>
    </Section>
  );
}

function buildColumns(currency: string): readonly Column<PriceVersion>[] {
  return [
    {
      id: "since",
      header: "Since",
      apiName: "effective_at",
      width: "w-56",
      cell: ({ event }) =>
        event ? <DateTime at={event.effective_at} /> : <span className="text-muted">before</span>,
    },
    {
      id: "price",
      header: "Price",
      unit: currency,
      cell: (version) => describePrice(version).join(" · "),
    },
    {
      id: "by",
      header: "Set by",
      apiName: "actor",
      width: "w-56",
      cell: ({ event }) =>
        event && (
          <TextLink href={paths.auditLog(event.id)}>
            {event.type === "scheduled_price.applied" ? "As scheduled" : describePerson(event).name}
          </TextLink>
        ),
    },
  ];
}
