"use client";

import { modelReads } from "@/components/models/model-reads";
import { findReroutedModels, listCircuits } from "@/components/models/open-routes";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { SortedTable } from "@/components/ui/table/sorted-table";
import type { Health } from "@/lib/contract/operations/usage/health";
import { circuitColumns, circuitId } from "./circuit-columns";
import { modelHealthColumns, providerColumns } from "./health-columns";

const POLL_MS = 15_000;

/** What the person may do besides reading. */
type HealthRights = Readonly<Record<"change" | "readModels" | "try", boolean>>;

/** How providers and models respond. Polls while visible. */
export function HealthScreen({ rights }: { rights: HealthRights }) {
  const health = useRead("retrieveHealth", undefined, { refetchInterval: POLL_MS });
  return (
    <ReadState
      read={health}
      to="see the health of providers"
      skeleton={<TableSkeleton rows={8} columns={6} />}
    >
      {({ models, providers }) => (
        <div className="grid gap-10">
          <OpenCircuits providers={providers} rights={rights} />
          <Section
            title="Providers"
            description="Calls in progress, and the last failure since the gateway’s start."
          >
            <SortedTable
              caption="Health of providers"
              columns={providerColumns(rights.change)}
              rows={providers}
              rowId={({ id }) => id}
            />
          </Section>
          <Section title="Models" description="Calls of the last 24 hours that reached a provider.">
            <SortedTable
              caption="Health of models"
              columns={modelHealthColumns(rights.try)}
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

type OpenCircuitsProps = { providers: Health["providers"]; rights: HealthRights };

/** Lists the open circuit breakers. Renders nothing if there are none, which is the usual case. */
function OpenCircuits({ providers, rights }: OpenCircuitsProps) {
  const circuits = listCircuits(providers);
  const isShown = circuits.length > 0;
  const models = useRead(...modelReads.models, {
    enabled: isShown && rights.readModels,
  }).data?.data;
  if (!isShown) return null;
  return (
    <Section
      title="Open circuits"
      description={
        <>
          These providers failed too many calls in a row. Their calls go to the model’s next route, or are
          refused at once with 503 <code className="font-mono">circuit_open</code>, free of charge. After a
          pause, one trial call is let through; if it is answered, the circuit closes again.{" "}
          {rights.change && "If you have corrected the cause, close it now."}
        </>
      }
    >
      <SortedTable
        caption="Open circuits"
        columns={circuitColumns({
          findModels: rights.readModels
            ? (circuit) => models && findReroutedModels(circuit, circuits, models)
            : null,
          canClose: rights.change,
        })}
        rows={circuits}
        rowId={circuitId}
      />
    </Section>
  );
}
