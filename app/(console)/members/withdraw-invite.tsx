"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { toast } from "@/components/ui/toast";
import type { Invite } from "@/lib/contract/operations/invites";
import { withdrawInvite } from "./actions";

/** Withdraws a pending invitation; clears away one that has expired. */
export function WithdrawInvite({ invite: { id, email, status } }: { invite: Invite }) {
  const [isOpen, setIsOpen] = useState(false);
  const isPending = status === "pending";
  const verb = isPending ? "Withdraw" : "Delete";
  const withdraw = useAction(withdrawInvite, {
    // A refusal says that it was accepted meanwhile: then there is a new member too.
    changes: ["listInvites", "listUsers"],
    onSuccess: () => toast({ message: `Invitation of ${email} ${isPending ? "withdrawn" : "deleted"}` }),
  });
  function close() {
    setIsOpen(false);
    withdraw.reset();
  }
  return (
    <>
      <IconButton
        size="small"
        label={`${verb} the invitation of ${email}`}
        icon={<Trash2 />}
        onClick={() => setIsOpen(true)}
      />
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => withdraw.mutate({ inviteId: id })}
        title={`${verb} the invitation of ${email}?`}
        confirmLabel={`${verb} invitation`}
        pending={withdraw.isPending || withdraw.isSuccess}
        error={withdraw.error?.problem.message}
      >
        {isPending
          ? "Its link stops working at once. They can be invited again at any time."
          : "Its link has stopped working already; it goes from this list."}
      </ConfirmDialog>
    </>
  );
}
