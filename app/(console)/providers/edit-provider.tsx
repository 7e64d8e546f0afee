"use client";

import { Settings2 } from "lucide-react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { Provider } from "@/lib/contract/operations/models/providers";

const EditProviderDialog = loadOnClient(() =>
  import("./edit-provider-dialog").then((file) => file.EditProviderDialog),
);

export function EditProvider({ provider }: { provider: Provider }) {
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
