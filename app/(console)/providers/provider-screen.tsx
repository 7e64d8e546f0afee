"use client";

import { Plus } from "lucide-react";
import { modelReads } from "@/components/models/model-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { GuideLink } from "@/components/ui/links/text-link";
import { PageHead } from "@/components/ui/page";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { paths } from "@/lib/console/paths";
import { editableProviderColumns, providerColumns } from "./provider-columns";

/** The servers that answer calls, to which models' routes refer. */
export function ProviderScreen({ canWrite }: { canWrite: boolean }) {
  return (
    <>
      <PageHead
        title="Providers"
        sentence={
          <>
            The servers that answer calls. A model’s routes say which providers answer it, and by which name.{" "}
            <GuideLink page="providers">Providers, explained</GuideLink>
          </>
        }
        action={
          canWrite && (
            <LinkButton variant="primary" href={paths.newProvider()}>
              <Plus aria-hidden />
              Add provider
            </LinkButton>
          )
        }
      />
      <ProviderList canWrite={canWrite} />
    </>
  );
}

function ProviderList({ canWrite }: { canWrite: boolean }) {
  return (
    <ReadState
      read={useRead(...modelReads.providers)}
      to="list the providers"
      skeleton={<TableSkeleton rows={2} columns={5} />}
    >
      {({ data, has_more: hasMore }) => (
        <div>
          <SortedTable
            caption="Providers of the organization"
            columns={canWrite ? editableProviderColumns : providerColumns}
            rows={data}
            rowId={({ id }) => id}
          />
          {hasMore && <FirstRowsNote shown={data.length} />}
          {canWrite && (
            <p className="mt-2 text-sm text-muted">
              Built-in providers can’t be deleted. Providers from the configuration file are removed there,
              and services with their own task API are added there.
            </p>
          )}
        </div>
      )}
    </ReadState>
  );
}
