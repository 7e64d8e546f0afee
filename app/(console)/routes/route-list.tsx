"use client";

import { Boxes } from "lucide-react";
import { filterModels } from "@/components/models/describe-model";
import { modelReads } from "@/components/models/model-reads";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { paths } from "@/lib/console/paths";
import { routeColumns } from "./route-columns";

/** How often the state of the routes is read again, in milliseconds. */
const POLL_MS = 15_000;

/** Every model with its routes, group by group, and how its calls of the last 24 hours went. */
export function RouteList() {
  const models = useRead(...modelReads.models);
  const further = useFurtherRows(modelReads.models, models.data);
  const health = useRead("retrieveHealth", undefined, { refetchInterval: POLL_MS });
  return (
    <ReadState
      read={models}
      to="list the routes"
      skeleton={<TableSkeleton rows={8} columns={5} />}
      empty={
        <EmptyState icon={Boxes} title="No models yet">
          A model’s routes are the providers that answer its calls. Add a model first.
        </EmptyState>
      }
    >
      {({ data }) => (
        <>
          <StaleNotice read={health} />
          <FilteredList
            caption="Routes of the organization’s models"
            columns={routeColumns(health.data ?? null)}
            rows={data}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.modelRoutes(id)}
            noun="model"
            label="Search routes"
            find={filterModels}
            none={(typed) => `No model, source or route is named “${typed}”.`}
            further={further}
          />
        </>
      )}
    </ReadState>
  );
}
