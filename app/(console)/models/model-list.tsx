"use client";

import { Boxes } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { CsvLink } from "@/components/table/csv-link";
import { FilterInput } from "@/components/table/filter-input";
import { SortedTable } from "@/components/table/sorted-table";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { paths } from "@/lib/console/paths";
import { exportUrl } from "@/lib/console/reads";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { filterModels } from "./describe-model";
import { modelColumns } from "./model-columns";
import { ModelListSkeleton } from "./model-list-skeleton";
import { useModels } from "./use-models";

/** Every model with its list price, its model rate and what a payment is worth. */
export function ModelList({ canWrite }: { canWrite: boolean }) {
  const models = useModels();

  if (!models.data && models.error) {
    const retry = () => void models.refetch();
    return <ProblemState problem={models.error.problem} to="list the models" retry={retry} />;
  }
  if (!models.data) return <ModelListSkeleton />;
  const { data, has_more } = models.data;
  const [first] = data;
  if (!first) return <NoModel canWrite={canWrite} />;
  return (
    <>
      <StaleNotice read={models} />
      <ModelTable models={data} currency={first.currency} />
      {has_more && (
        <p className="mt-2 text-sm text-muted">
          These are the first {data.length}. The others are in the API, page by page.
        </p>
      )}
    </>
  );
}

function ModelTable({ models, currency }: { models: readonly OrganizationModel[]; currency: string }) {
  const [filter] = useUrlParameter("q");
  const found = filterModels(models, filter);
  return (
    <>
      <Toolbar actions={<CsvLink href={exportUrl("listOrganizationModels")} />}>
        <FilterInput label="Filter models" />
      </Toolbar>
      <SortedTable
        caption="Models of the organization"
        columns={modelColumns(currency)}
        rows={found}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.model(id)}
        none={`No model, source or route is named “${filter}”.`}
      />
    </>
  );
}

function NoModel({ canWrite }: { canWrite: boolean }) {
  return (
    <EmptyState
      icon={Boxes}
      title="No model yet"
      action={
        canWrite && (
          <LinkButton variant="primary" href={paths.newModel()}>
            Add model
          </LinkButton>
        )
      }
      example="For example “llama3.2”, answered by an Ollama on this machine."
    >
      Programs call models by their id; a provider answers. Add a provider, then a model routed to it.
    </EmptyState>
  );
}
