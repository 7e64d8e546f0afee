"use client";

import { useRouter } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { Button } from "../button";
import { ConfirmDialog } from "./confirm-dialog";
import { Dialog } from "./dialog";
import { interceptNavigation } from "./intercept-navigation";
import { currentQuestion, keepEditing, subscribeToQuestion } from "./unsaved";

/** Confirms before unsaved input is lost by any kind of navigation. Render once per page. */
export function LeaveGuard() {
  const router = useRouter();
  const question = useSyncExternalStore(subscribeToQuestion, currentQuestion, () => null);

  useEffect(() => interceptNavigation(router.push), [router]);

  if (question?.isSaving) {
    return (
      <Dialog
        open
        onClose={keepEditing}
        title="Saving your changes"
        footer={<Button onClick={keepEditing}>Stay here</Button>}
      >
        <p className="text-muted">You leave as soon as they are saved.</p>
      </Dialog>
    );
  }
  return (
    question && (
      <ConfirmDialog
        open
        onClose={keepEditing}
        onConfirm={question.discardAndLeave}
        title={question.loss.title}
        cancelLabel="Keep editing"
        confirmLabel="Discard changes"
      >
        {question.loss.text}
      </ConfirmDialog>
    )
  );
}
