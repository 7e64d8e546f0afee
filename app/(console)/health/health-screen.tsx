"use client";

import { ReadState } from "@/app/queries/read-state";
import { useRead } from "@/app/queries/use-read";
import { SortedTable } from "@/components/table/sorted-table";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import type { Health } from "@/lib/contract/operations/health";
import { circuitColumns, idOfCircuit, listCircuits } from "./circuit-columns";
import { modelColumns, providerColumns } from "./health-columns";

const POLL_MS = 15_000;

/** How providers and models respond. Polls while visible. */
export function HealthScreen({ canChange }: { canChange: boolean }) {
  const health = useRead("retrieveHealth", undefined, { refetchInterval: POLL_MS });
  return (
    <ReadState read={health} to="see how providers answer" skeleton={<TableSkeleton rows={8} columns={6} />}>
      {({ models, providers }) => (
        <div className="grid gap-10">
          <OpenCircuits providers={providers} canClose={canChange} />
          <Section
            title="Providers"
            description="Calls in progress, and the last failure since the gateway’s start."
          >
            <SortedTable
              caption="Health of providers"
              columns={providerColumns(canChange)}
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

/** Lists the open circuit breakers. Renders nothing if there are none, which is the usual case. */
function OpenCircuits({ providers, canClose }: { providers: Health["providers"]; canClose: boolean }) {
  const circuits = listCircuits(providers);
  if (circuits.length === 0) return null;
  return (
    <Section
      title="Open circuits"
      description="These providers failed many calls in a row. Calls to them are refused at once, except for one at a time that tests whether they have recovered."
    >
      <SortedTable
        caption="Open circuits"
        columns={circuitColumns(canClose)}
        rows={circuits}
        rowId={idOfCircuit}
      />
    </Section>
  );
}
