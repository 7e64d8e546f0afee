"use client";

import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { User } from "@/lib/contract/operations/users";
import { unlinkSingleSignOn } from "./actions";

export function UnlinkSingleSignOn({ member: { id, name } }: { member: User }) {
  const [isOpen, setIsOpen] = useState(false);
  const unlink = useAction(unlinkSingleSignOn, {
    onSuccess: () => {
      toast({ message: `Single sign-on of ${name} unlinked` });
      close();
    },
  });
  function close() {
    setIsOpen(false);
    unlink.reset();
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Unlink single sign-on</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => unlink.mutate({ userId: id })}
        title={`Unlink single sign-on of ${name}?`}
        confirmLabel="Unlink"
        pending={unlink.isPending}
        error={unlink.error?.problem.message}
      >
        Whoever signs in next under their verified address at the provider is linked in their place; an Owner
        links themselves under Account. Make sure that it is {name} who asks.
      </ConfirmDialog>
    </>
  );
}
