"use client";

import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { OpenSession } from "@/lib/contract/operations/sessions";
import type { User } from "@/lib/contract/operations/users";
import { describeDevice } from "../describe-device";
import { endMemberSession } from "./actions";

export function EndSession({ session, member }: { session: OpenSession; member: User }) {
  const [isOpen, setIsOpen] = useState(false);
  const place = describeDevice(session.user_agent);
  const end = useAction(endMemberSession, {
    changes: ["listUserSessions"],
    onSuccess: () => toast({ message: `Session of ${member.name} ended` }),
  });
  function close() {
    setIsOpen(false);
    end.reset();
  }
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)} aria-label={`End the session in ${place}`}>
        End
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => end.mutate({ userId: member.id, sessionId: session.id })}
        title={`End ${member.name}’s session in ${place}?`}
        confirmLabel="End session"
        pending={end.isPending || end.isSuccess}
        error={end.error?.problem.message}
      >
        It is refused from the next request on, and what was typed there and not saved is lost. {member.name}{" "}
        can sign in again: to keep somebody out, remove the member.
      </ConfirmDialog>
    </>
  );
}
