import { sourceWords } from "@/components/models/describe-model";
import { HistoryLink } from "@/components/object-page/history-link";
import { LinkButton } from "@/components/ui/links/link-button";
import type { Column } from "@/components/ui/table/column";
import { paths } from "@/lib/console/paths";
import { providerKindTitles } from "@/lib/contract/calls/provider-kinds";
import type { Provider } from "@/lib/contract/operations/models/providers";
import { DeleteProvider } from "./delete-provider";
import { EditProvider } from "./edit-provider";
import { FoundRefusals } from "./found-refusals";
import { Misconfigurations } from "./misconfigurations";
import { ProviderKeys } from "./provider-keys";
import { TaskApiView } from "./task-api-view";

export const providerColumns: readonly Column<Provider>[] = [
  {
    id: "id",
    header: "Provider",
    width: "w-48",
    sortValue: ({ id }) => id,
    cell: ({ id, misconfigured, found_refused_fields: found }) => (
      <>
        <span className="font-mono text-sm font-medium break-all">{id}</span>
        <Misconfigurations misconfigured={misconfigured} />
        <FoundRefusals fields={found} />
      </>
    ),
  },
  {
    id: "kind",
    header: "Kind",
    apiName: "kind",
    phone: "end",
    sortValue: ({ kind }) => kind,
    cell: ({ kind, protocols, task_api }) => (
      <>
        <span className="text-muted">{providerKindTitles[kind]}</span>
        {kind === "openai" && <p className="text-sm text-muted">Speaks {protocols.join(", ")}</p>}
        {task_api && <TaskApiView api={task_api} />}
      </>
    ),
  },
  {
    id: "address",
    header: "Address",
    apiName: "base_url",
    sortValue: ({ base_url }) => base_url,
    cell: ({ base_url }) =>
      base_url ? (
        <span className="font-mono text-sm break-all">{base_url}</span>
      ) : (
        <span className="text-muted">inside this gateway</span>
      ),
  },
  {
    id: "key",
    header: "Keys",
    apiName: "api_keys",
    sortValue: ({ api_keys }) => api_keys.length,
    cell: (provider) => <ProviderKeys provider={provider} canWrite={false} />,
  },
  {
    id: "source",
    header: "Source",
    apiName: "source",
    sortValue: ({ source }) => sourceWords[source],
    cell: ({ source }) => <span className="text-muted">{sourceWords[source]}</span>,
  },
];

function ImportModels({ id }: { id: string }) {
  return (
    <LinkButton size="small" href={paths.providerModels(id)} aria-label={`Test and import models of “${id}”`}>
      Models
    </LinkButton>
  );
}

/** Adds buttons for providers added in the console. For others, says why they can't be deleted. */
export const editableProviderColumns: readonly Column<Provider>[] = [
  ...providerColumns.map((column) =>
    column.id === "key"
      ? {
          ...column,
          cell: (provider: Provider) => (
            <ProviderKeys provider={provider} canWrite={provider.source === "database"} />
          ),
        }
      : column,
  ),
  {
    id: "actions",
    header: "Actions",
    numeric: true,
    cell: (provider) =>
      provider.source === "database" ? (
        <span className="flex items-center justify-end gap-1 pointer-coarse:gap-0">
          {provider.kind === "openai" && <ImportModels id={provider.id} />}
          <HistoryLink id={provider.id} rowName={provider.id} />
          <EditProvider provider={provider} />
          <DeleteProvider provider={provider} />
        </span>
      ) : (
        <span className="text-sm whitespace-nowrap text-muted">can’t be deleted</span>
      ),
  },
];
