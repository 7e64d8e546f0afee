import { CircleX, KeyRound, Settings2, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { sourceWords } from "@/components/models/describe-model";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/links/link-button";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import { providerKindTitles } from "@/lib/contract/calls/provider-protocols";
import type { Provider } from "@/lib/contract/operations/models/providers";
import { deleteProvider } from "./actions";

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

/** Says which fields of the gateway a provider has refused, so that calls go without them. */
function FoundRefusals({ fields }: { fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <p className="mt-1 text-sm break-words text-muted">
      Refuses {fields.join(", ")}: calls are sent without {fields.length === 1 ? "it" : "them"}.
    </p>
  );
}

type Mapping = NonNullable<Provider["task_api"]>;

/** What a provider with a mapped task API makes, and the requests it gets. */
function TaskApiView({ api }: { api: Mapping }) {
  const { makes, submit, poll, poll_seconds, cancel, repeats_lost_orders } = api;
  const facts = [
    `makes ${makes.join(", ")}`,
    poll_seconds === null ? "answers at once" : `asked every ${poll_seconds} s`,
    ...(poll !== null && cancel === null ? ["can’t cancel"] : []),
    repeats_lost_orders ? "lost orders are sent again" : "lost orders stay open",
  ];
  return (
    <div className="mt-1 space-y-1 text-sm text-muted">
      <p>{facts.join(" · ")}</p>
      <ul aria-label="Requests" className="font-mono text-xs break-all">
        {[submit, poll, cancel].map((request) => request && <li key={request}>{request}</li>)}
      </ul>
    </div>
  );
}

type Misconfiguration = Provider["misconfigured"][number];

const causes: Readonly<Record<Misconfiguration["status"], (model: string) => string>> = {
  401: (model) => `Refuses the gateway’s key for ${model} (401)`,
  402: (model) => `Answers no call of ${model}: the account has no credit left (402)`,
  403: (model) => `Forbids ${model} to the gateway’s key (403)`,
  404: (model) => `Knows no model ${model} at this address (404)`,
  429: (model) => `Answers no call of ${model}: the account has no credit left (429)`,
};

/** Explains why calls to a provider fail until its key, address or a route is fixed. */
function Misconfigurations({ misconfigured }: Pick<Provider, "misconfigured">) {
  if (misconfigured.length === 0) return null;
  return (
    <ul className="mt-1 space-y-1 text-sm text-danger">
      {misconfigured.map(({ model, status, at }) => (
        <li key={model} className="flex gap-1.5">
          <CircleX aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="break-words">
            {causes[status](model)}, <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const EditProviderDialog = loadOnClient(() =>
  import("./provider-dialogs").then((file) => file.EditProviderDialog),
);

function EditProvider({ provider }: { provider: Provider }) {
  const dialog = useFormDialog(`provider-${provider.id}`);
  return (
    <>
      <IconButton
        size="small"
        label={`Settings of provider “${provider.id}”`}
        icon={<Settings2 />}
        onClick={dialog.open}
      />
      {dialog.isOpen && <EditProviderDialog provider={provider} close={dialog.close} />}
    </>
  );
}

function DeleteProvider({ provider }: { provider: Provider }) {
  const { id, has_api_key, version } = provider;
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete provider “${id}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the provider “${id}”?`}
      confirmLabel="Delete provider"
      action={deleteProvider}
      input={{ providerId: id, version }}
      refetch={["listProviders"]}
      done={() => `Provider “${id}” deleted`}
      // The shell shows whether any provider besides the sandbox exists.
      onDone={() => router.refresh()}
    >
      No model can be routed to it any more{has_api_key && ", and its key is deleted with it"}. While a model
      is routed to it, the gateway refuses to delete it. This can’t be undone.
    </ConfirmedAction>
  );
}

const ProviderKeysDialog = loadOnClient(() =>
  import("./provider-dialogs").then((file) => file.ProviderKeysDialog),
);

/** How many keys a provider has, and a button that leads to them. */
function ProviderKeys({ provider, canWrite }: { provider: Provider; canWrite: boolean }) {
  const { id, api_keys: keys, resting_api_keys: resting } = provider;
  const dialog = useFormDialog(`keys-of-${id}`);
  const restingCount = new Set(resting.map((rest) => rest.id)).size;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      {keys.length === 0 ? (
        <span className="text-muted">none</span>
      ) : (
        <Status tone={restingCount === 0 ? "good" : "near"}>
          {keys.length === 1 ? keys[0]?.hint : `${keys.length} keys`}
          {restingCount > 0 && `, ${restingCount} resting`}
        </Status>
      )}
      {canWrite && (
        <IconButton
          size="small"
          label={`Keys of provider “${id}”`}
          icon={<KeyRound />}
          onClick={dialog.open}
        />
      )}
      {dialog.isOpen && <ProviderKeysDialog provider={provider} close={dialog.close} />}
    </span>
  );
}
