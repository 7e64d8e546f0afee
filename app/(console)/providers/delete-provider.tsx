"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { Provider } from "@/lib/contract/operations/models/providers";
import { deleteProvider } from "./actions";

export function DeleteProvider({ provider }: { provider: Provider }) {
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
