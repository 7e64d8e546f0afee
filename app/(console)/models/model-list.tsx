"use client";

import { Boxes } from "lucide-react";
import { filterModels } from "@/components/models/describe-model";
import { modelReads } from "@/components/models/model-reads";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { EmptyState } from "@/components/ui/states/empty-state";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { modelColumns } from "./model-columns";
import { ModelListSkeleton } from "./model-skeletons";

/** All models with their list price, model rate and the worth of a payment. */
export function ModelList({ canWrite }: { canWrite: boolean }) {
  const models = useRead(...modelReads.models);
  const further = useFurtherRows(modelReads.models, models.data);
  return (
    <ReadState
      read={models}
      to="list the models"
      skeleton={<ModelListSkeleton />}
      empty={<NoModel canWrite={canWrite} />}
    >
      {({ data }) => (
        <>
          <FilteredList
            caption="Models of the organization"
            columns={modelColumns(data[0]?.currency ?? "")}
            rows={data}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.model(id)}
            noun="model"
            label="Search models"
            find={filterModels}
            none={(typed) => `No model, source or route is named “${typed}”.`}
            download={<CsvLink href={buildExportUrl("listOrganizationModels")} />}
            further={further}
          />
          {data.some(({ sandbox }) => sandbox) && data.some(({ sandbox }) => !sandbox) && (
            <p className="px-3 pt-1 text-sm text-muted">
              A model that is routed to <code className="font-mono">sandbox</code> is answered by the gateway
              itself, not by an AI.
            </p>
          )}
        </>
      )}
    </ReadState>
  );
}

function NoModel({ canWrite }: { canWrite: boolean }) {
  return (
    <EmptyState
      icon={Boxes}
      title="No models yet"
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
