"use client";

import { Trash2 } from "lucide-react";
import * as z from "zod/mini";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm, useNewForm } from "@/components/ui/form/use-schema-form";
import { IconButton } from "@/components/ui/icon-button";
import { Status } from "@/components/ui/status";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { Provider } from "@/lib/contract/operations/models/providers";
import { changeProvider } from "./actions";
import { timeoutNames, toProviderChange, toTypedSettings } from "./provider-form";
import { providerSettings } from "./provider-form-schema";
import {
  authOptions,
  limitOptions,
  ProtocolFields,
  ProviderSettingsFields,
  settingsLabels,
} from "./provider-settings-fields";

const newKey = z.object({
  key: z
    .string()
    .check(z.minLength(1, "is required"), z.regex(/^[!-~]+$/, "must be printable characters without spaces")),
});
type NewKey = z.output<typeof newKey>;

/** The keys of a provider: what each does now, and the form for one more. */
export function ProviderKeysDialog({ provider, close }: { provider: Provider; close: () => void }) {
  const { id, api_keys: keys, version } = provider;
  const form = useNewForm<NewKey>(newKey, { key: "" });
  const add = useAction(changeProvider, {
    refetch: ["listProviders"],
    onSuccess: () => {
      toast({ message: `Key added to “${id}”` });
      form.reset({ key: "" });
    },
    onError: ({ problem }) => showProblem(form, ["key"], problem),
  });
  return (
    <FormDialog
      form={form}
      name={`keys-of-${id}`}
      what="the new key"
      labels={{ key: "New key" }}
      title={`Keys of the provider “${id}”`}
      description="Calls are spread over the keys; a conversation stays with its key. A key that is at its limit or refused rests, and its calls use the next."
      submit="Add key"
      pending={add.isPending}
      close={close}
      onSubmit={({ key }) =>
        add.mutate({ providerId: id, change: { api_keys: [...keep(keys), { key }] }, version })
      }
    >
      {keys.length > 0 && (
        // The question of a row is a form of its own, whose event React passes up to this one.
        <ul
          className="divide-y divide-border rounded-md border border-border"
          aria-label="Keys"
          onSubmit={(event) => event.stopPropagation()}
        >
          {keys.map((key) => (
            <KeyRow key={key.id} provider={provider} shown={key} />
          ))}
        </ul>
      )}
      <TextField
        control={form.control}
        name="key"
        label="New key"
        apiName="api_keys"
        type="password"
        autoComplete="new-password"
        mono
        help="Stored encrypted and never shown again. To replace a key, add the new one and remove the old."
      />
    </FormDialog>
  );
}

const keep = (keys: Provider["api_keys"]) => keys.map(({ id }) => ({ id }));

function KeyRow({ provider, shown }: { provider: Provider; shown: Provider["api_keys"][number] }) {
  const { id, api_keys: keys, resting_api_keys: resting, version } = provider;
  const rests = resting.filter((rest) => rest.id === shown.id);
  const others = keys.filter((key) => key.id !== shown.id);
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="font-mono text-sm">{shown.hint}</span>
      <span className="min-w-0 flex-1 text-sm">
        {rests.length === 0 && <Status tone="good">in use</Status>}
        {rests.map(({ model, status, until }) => (
          <Status key={model} tone="near">
            answered {status} for {model}, asked again <RelativeTime at={until} />
          </Status>
        ))}
      </span>
      <ConfirmedAction
        renderButton={(ask) => (
          <IconButton size="small" label={`Remove the key ${shown.hint}`} icon={<Trash2 />} onClick={ask} />
        )}
        title={`Remove the key ${shown.hint} of “${id}”?`}
        confirmLabel="Remove key"
        action={changeProvider}
        input={{ providerId: id, change: { api_keys: keep(others) }, version }}
        refetch={["listProviders"]}
        done={() => `Key ${shown.hint} removed`}
      >
        {others.length > 0
          ? "Calls that begin from now on use the other keys."
          : "It is the last one: calls are sent without a key from now on."}{" "}
        Calls under way keep it. Its value can’t be shown again.
      </ConfirmedAction>
    </li>
  );
}

const names = [
  "protocols",
  "auth",
  "messages_base_url",
  ...timeoutNames,
  "output_limit_field",
  "refused_fields",
] as const;

export function EditProviderDialog({ provider, close }: { provider: Provider; close: () => void }) {
  const form = useEditForm(providerSettings, toTypedSettings(provider));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: provider,
    action: changeProvider,
    refetch: ["listProviders"],
    names,
    toInput: (change, { version }) => ({
      providerId: provider.id,
      change: toProviderChange(change),
      version,
    }),
    toValues: toTypedSettings,
    onSaved: ({ id }) => {
      toast({ message: `Settings of “${id}” saved` });
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name={`provider-${provider.id}`}
      what={`the provider “${provider.id}”`}
      isEdit
      labels={settingsLabels}
      title={`Settings of the provider “${provider.id}”`}
      description="They apply to calls that begin from now on."
      submit="Save settings"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <ProtocolFields control={form.control} isNew={false} />
      <ProviderSettingsFields control={form.control} isNew={false} />
      {conflict && (
        <ConflictDialog
          {...conflict}
          labels={settingsLabels}
          nothing="By default"
          choices={{ auth: authOptions, output_limit_field: limitOptions }}
        />
      )}
    </FormDialog>
  );
}
