"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useReopen } from "@/components/form/draft-scope";
import { SortedTable } from "@/components/table/sorted-table";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import { editableProviderColumns, providerColumns } from "./provider-columns";
import { useProviders } from "./use-models";

// Without `ssr: false` the screen would give way to its skeleton while the dialog is loaded.
const AddProviderDialog = dynamic(
  () => import("./add-provider-dialog").then((file) => file.AddProviderDialog),
  { ssr: false },
);

/** Who answers: below the models, because routes name providers. */
export function ProviderSection({ canWrite }: { canWrite: boolean }) {
  const [isAdding, setIsAdding] = useState(false);
  useReopen("new-provider", () => setIsAdding(canWrite));
  return (
    <Section
      title="Providers"
      description="The servers that answer calls. A model’s route names one, and the model’s name there."
      actions={
        canWrite && (
          <Button onClick={() => setIsAdding(true)}>
            <Plus aria-hidden />
            Add provider
          </Button>
        )
      }
    >
      <ProviderList canWrite={canWrite} />
      {isAdding && <AddProviderDialog close={() => setIsAdding(false)} />}
    </Section>
  );
}

function ProviderList({ canWrite }: { canWrite: boolean }) {
  const providers = useProviders();
  if (!providers.data && providers.error) {
    const retry = () => void providers.refetch();
    return <ProblemState problem={providers.error.problem} to="list the providers" retry={retry} />;
  }
  if (!providers.data) return <TableSkeleton rows={2} columns={5} />;
  return (
    <div>
      <StaleNotice read={providers} />
      <SortedTable
        caption="Providers of the organization"
        columns={canWrite ? editableProviderColumns : providerColumns}
        rows={providers.data.data}
        rowId={({ id }) => id}
      />
      {canWrite && (
        <p className="mt-2 text-sm text-muted">
          A built-in provider can’t be deleted; one of the configuration file is removed there.
        </p>
      )}
    </div>
  );
}
