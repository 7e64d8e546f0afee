"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { paths } from "@/lib/console/paths";
import type { User } from "@/lib/contract/operations/users";
import { removeMember } from "./actions";

export function RemoveMember({ member: { id, name, email, version } }: { member: User }) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const remove = useAction(removeMember, {
    changes: ["listUsers"],
    onSuccess: () => {
      toast({ message: `${name} removed` });
      router.push(paths.members());
    },
  });
  function close() {
    setIsOpen(false);
    remove.reset();
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Remove member</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => remove.mutate({ userId: id, version })}
        title={`Remove ${name} from the organization?`}
        confirmLabel="Remove member"
        pending={remove.isPending || remove.isSuccess}
        error={remove.error?.problem.message}
      >
        {email} is signed out everywhere and can’t sign in any more; their roles and groups end. Keys stay,
        and what they have used stays in the ledger. To come back they have to be invited again.
      </ConfirmDialog>
    </>
  );
}
