"use client";

import { ReadState } from "@/app/queries/read-state";
import { useRead } from "@/app/queries/use-read";
import { SortedTable } from "@/components/table/sorted-table";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import { modelColumns, providerColumns } from "./health-columns";

const POLL_MS = 15_000;

/** How providers and models respond. Polls while visible. */
export function HealthScreen({ canTest }: { canTest: boolean }) {
  const health = useRead("retrieveHealth", undefined, { refetchInterval: POLL_MS });
  return (
    <ReadState read={health} to="see how providers answer" skeleton={<TableSkeleton rows={8} columns={6} />}>
      {({ models, providers }) => (
        <div className="grid gap-10">
          <Section
            title="Providers"
            description="Calls under way now, and the last failure since the gateway’s start."
          >
            <SortedTable
              caption="Health of providers"
              columns={providerColumns(canTest)}
              rows={providers}
              rowId={({ id }) => id}
            />
          </Section>
          <Section title="Models" description="Calls of the last 24 hours that reached a provider.">
            <SortedTable
              caption="Health of models"
              columns={modelColumns}
              rows={models}
              rowId={({ id }) => id}
              initialSort={{ column: "calls", descending: true }}
            />
          </Section>
        </div>
      )}
    </ReadState>
  );
}
