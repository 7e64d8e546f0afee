"use client";

import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { User } from "@/lib/contract/operations/users";
import { turnOffTwoFactor } from "./actions";

export function TurnOffTwoFactor({ member: { id, name } }: { member: User }) {
  const [isOpen, setIsOpen] = useState(false);
  const turnOff = useAction(turnOffTwoFactor, {
    onSuccess: () => {
      toast({ message: `Two-factor sign-in of ${name} turned off` });
      close();
    },
  });
  function close() {
    setIsOpen(false);
    turnOff.reset();
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Turn off two-factor</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => turnOff.mutate({ userId: id })}
        title={`Turn off two-factor sign-in of ${name}?`}
        confirmLabel="Turn off"
        pending={turnOff.isPending}
        error={turnOff.error?.problem.message}
      >
        The password alone lets them in until they turn it on again. Make sure that it is {name} who asks.
      </ConfirmDialog>
    </>
  );
}
