"use client";

import { useRouter } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { Button } from "../button";
import { ConfirmDialog } from "./confirm-dialog";
import { Dialog } from "./dialog";
import {
  confirmLeave,
  currentQuestion,
  isAnythingUnsaved,
  keepEditing,
  subscribeToQuestion,
} from "./unsaved";

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

/**
 * While something is unsaved, intercepts the browser's own navigation: links, back and forward, reload, closing the
 * tab. Navigation by the console itself calls `confirmLeave`.
 */
function interceptNavigation(goTo: (href: string) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;

  window.addEventListener("beforeunload", (event) => isAnythingUnsaved() && event.preventDefault(), {
    signal,
  });

  function holdLink(event: MouseEvent) {
    const href = linkThatLeaves(event);
    if (!href || !isAnythingUnsaved()) return;
    event.preventDefault();
    event.stopPropagation();
    confirmLeave(() => goTo(href));
  }
  document.addEventListener("click", holdLink, { capture: true, signal });

  // Needs the Navigation API. Browsers without it don't intercept the back button.
  function holdTraversal(event: NavigateEvent) {
    if (event.navigationType !== "traverse" || !event.cancelable || !isAnythingUnsaved()) return;
    event.preventDefault();
    const { key } = event.destination;
    confirmLeave(() => window.navigation.traverseTo(key));
  }
  window.navigation?.addEventListener("navigate", holdTraversal, { signal });
  return () => controller.abort();
}

/** Returns the target of a plain click on a link to another page of the console. */
function linkThatLeaves(event: MouseEvent): string | undefined {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!plain || !link || (link.target && link.target !== "_self") || link.hasAttribute("download"))
    return undefined;
  if (link.origin !== location.origin || link.pathname === location.pathname) return undefined;
  return link.pathname + link.search + link.hash;
}
