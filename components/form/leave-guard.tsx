"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "../ui/confirm-dialog";

type LeaveGuardProps = { changes: number };

/** While a form has unsaved changes: asks before a link, the back button, a reload or the closing of the tab loses them. */
export function LeaveGuard({ changes }: LeaveGuardProps) {
  const router = useRouter();
  const [leave, setLeave] = useState<() => void>();
  const dirty = changes > 0;

  useEffect(() => {
    if (!dirty) return;
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });

    function holdLink(event: MouseEvent) {
      const href = linkThatLeaves(event);
      if (!href) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => router.push(href));
    }
    document.addEventListener("click", holdLink, { capture: true, signal });

    // Where the browser has the Navigation API; elsewhere the back button is not held.
    function holdTraversal(event: NavigateEvent) {
      if (event.navigationType !== "traverse" || !event.cancelable) return;
      event.preventDefault();
      const { key } = event.destination;
      setLeave(() => () => {
        controller.abort();
        window.navigation.traverseTo(key);
      });
    }
    window.navigation?.addEventListener("navigate", holdTraversal, { signal });
    return () => controller.abort();
  }, [dirty, router]);

  return (
    <ConfirmDialog
      open={leave !== undefined}
      onClose={() => setLeave(undefined)}
      onConfirm={() => {
        setLeave(undefined);
        leave?.();
      }}
      title={changes === 1 ? "Leave without saving the change?" : `Leave without saving ${changes} changes?`}
      confirmLabel="Leave without saving"
    >
      What you typed on this page is lost.
    </ConfirmDialog>
  );
}

/** The address of a plain click on a link to another page of this console. */
function linkThatLeaves(event: MouseEvent): string | undefined {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!plain || !link || (link.target && link.target !== "_self") || link.hasAttribute("download"))
    return undefined;
  if (link.origin !== location.origin || link.pathname === location.pathname) return undefined;
  return link.pathname + link.search + link.hash;
}
