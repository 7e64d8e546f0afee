"use client";

import { useState } from "react";
import { ReadState } from "@/app/queries/read-state";
import { useAction } from "@/app/queries/use-action";
import { useRead } from "@/app/queries/use-read";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { endOtherSessions } from "./actions";
import { sessionReads } from "./reads-of-account";
import { SessionList } from "./session-list";

/** Where one is signed in. */
export function SessionSection() {
  const [[read, parameters]] = sessionReads;
  const sessions = useRead(read, parameters);
  const others = sessions.data?.data.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title="Sessions"
      description="Every place you are signed in. To end this one, sign out."
      actions={others > 0 && <EndOthers count={others} />}
    >
      <ReadState read={sessions} to="list the sessions" skeleton={<TableSkeleton rows={2} columns={4} />}>
        {({ data }) => <SessionList sessions={data} />}
      </ReadState>
    </Section>
  );
}

function EndOthers({ count }: { count: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const end = useAction(endOtherSessions, { changes: ["listSessions"] });
  function close() {
    setIsOpen(false);
    end.reset();
  }
  function confirm() {
    end.mutate(undefined, {
      onSuccess: (ended) => {
        close();
        toast({ message: ended.count === 1 ? "The other session ended" : `${ended.count} sessions ended` });
      },
    });
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>End all others</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={close}
        onConfirm={confirm}
        title={count === 1 ? "End the other session?" : `End the ${count} other sessions?`}
        confirmLabel={count === 1 ? "End session" : "End sessions"}
        pending={end.isPending}
        error={end.error?.problem.message}
      >
        Whoever uses {count === 1 ? "it" : "them"} is signed out at once and must sign in again. Only the
        session you are looking at stays.
      </ConfirmDialog>
    </>
  );
}
