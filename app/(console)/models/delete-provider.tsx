"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { toast } from "@/components/ui/toast";
import type { Provider } from "@/lib/contract/operations/providers";
import { deleteProvider } from "./actions";

export function DeleteProvider({ provider }: { provider: Provider }) {
  const { id, has_api_key, version } = provider;
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const remove = useAction(deleteProvider, {
    changes: ["listProviders"],
    onSuccess: () => {
      toast({ message: `Provider “${id}” deleted` });
      // The shell says whether any provider but the sandbox answers.
      router.refresh();
    },
  });
  function close() {
    setIsOpen(false);
    remove.reset();
  }
  return (
    <>
      <IconButton
        size="small"
        label={`Delete provider “${id}”`}
        icon={<Trash2 />}
        onClick={() => setIsOpen(true)}
        className="relative z-1"
      />
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => remove.mutate({ providerId: id, version })}
        title={`Delete the provider “${id}”?`}
        confirmLabel="Delete provider"
        pending={remove.isPending || remove.isSuccess}
        error={remove.error?.problem.message}
      >
        No model can be routed to it any more{has_api_key && ", and its key is deleted with it"}. While a
        model is routed to it, the gateway refuses to delete it. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
