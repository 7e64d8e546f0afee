"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { ProjectApiKey } from "@/lib/contract/operations/project-api-keys";
import { deleteKey } from "./actions";

type DeleteKeyProps = { projectId: string; target: ProjectApiKey };

export function DeleteKey({ projectId, target }: DeleteKeyProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, name, version, last_used_at: usedAt } = target;
  const remove = useAction(deleteKey, {
    changes: ["listProjectApiKeys"],
    onSuccess: () => toast({ message: `Key “${name}” deleted` }),
  });
  function close() {
    setIsOpen(false);
    remove.reset();
  }
  return (
    <>
      <IconButton
        size="small"
        label={`Delete key “${name}”`}
        icon={<Trash2 />}
        onClick={() => setIsOpen(true)}
      />
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => remove.mutate({ projectId, keyId: id, version })}
        title={`Delete the key “${name}”?`}
        confirmLabel="Delete key"
        pending={remove.isPending || remove.isSuccess}
        error={remove.error?.problem.message}
      >
        Calls with it are refused at once, also those of programs that are running now.{" "}
        {usedAt === null ? (
          "It has never been used."
        ) : (
          <>
            It was last used <RelativeTime at={usedAt} />.
          </>
        )}{" "}
        What it has used stays in the ledger. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
