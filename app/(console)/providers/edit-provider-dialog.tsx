"use client";

import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
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
