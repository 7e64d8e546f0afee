"use client";

import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import type { OpenSession } from "@/lib/contract/operations/sessions";
import { describeDevice } from "../describe-device";
import { endSession } from "./actions";

export function EndSession({ session }: { session: OpenSession }) {
  const [isOpen, setIsOpen] = useState(false);
  const device = describeDevice(session.user_agent);
  const end = useAction(endSession, {
    changes: ["listSessions"],
    onSuccess: () => toast({ message: `Session of ${device} ended` }),
  });
  function close() {
    setIsOpen(false);
    end.reset();
  }
  return (
    <>
      <Button size="small" aria-label={`End session of ${device}`} onClick={() => setIsOpen(true)}>
        End session
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={() => end.mutate({ sessionId: session.id })}
        title={`End the session of ${device}?`}
        confirmLabel="End session"
        pending={end.isPending || end.isSuccess}
        error={end.error?.problem.message}
      >
        It was opened <RelativeTime at={session.created_at} />. Whoever uses it is signed out at once and must
        sign in again.
      </ConfirmDialog>
    </>
  );
}
