"use client";

import { KeyRound } from "lucide-react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Status } from "@/components/ui/status";
import type { Provider } from "@/lib/contract/operations/models/providers";

const ProviderKeysDialog = loadOnClient(() =>
  import("./provider-keys-dialog").then((file) => file.ProviderKeysDialog),
);

/** How many keys a provider has, and a button that leads to them. */
export function ProviderKeys({ provider, canWrite }: { provider: Provider; canWrite: boolean }) {
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
