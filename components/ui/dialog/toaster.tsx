"use client";

import { X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";
import { Button } from "../button";
import { IconButton } from "../icon-button";
import { Status } from "../status";
import { subscribeToModals, topmostModal } from "./open-modals";
import { currentToasts, dismissToast, subscribeToToasts, type Toast } from "./toast";

const SHOWN_FOR_MS = 6_000;
const SHOWN_FOR_WITH_ACTION_MS = 12_000;
const none: readonly Toast[] = [];

/** A live region is announced only if its text changes after it has come to its place. */
const ANNOUNCED_AFTER_MS = 150;

/**
 * Shows toasts at the bottom right, above everything: they are a popover, and inside the topmost modal dialog, since
 * everything outside of it is inert. Announced politely.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, () => none);
  const region = useRef<HTMLElement>(null);
  const host = useHost(region);
  const newest = toasts.at(-1);
  const [announced, setAnnounced] = useState<Toast>();

  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(newest), ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [newest]);
  useEffect(() => {
    if (host && region.current) raise(region.current, newest !== undefined);
  }, [host, newest]);

  if (!host) return null;
  return createPortal(
    <>
      <span aria-live="polite" className="sr-only fixed!">
        {announced && <span key={announced.id}>{announced.message}</span>}
      </span>
      <section
        ref={region}
        popover="manual"
        aria-label="Notifications"
        className="fixed inset-auto right-4 bottom-[calc(1rem+var(--below,0px))] m-0 w-[min(380px,calc(100%-2rem))] overflow-visible bg-transparent print:hidden"
      >
        <ol className="grid gap-2">
          {toasts.map((one) => (
            <ToastItem key={one.id} toast={one} />
          ))}
        </ol>
      </section>
    </>,
    host,
  );
}

/**
 * An element that moves into the topmost modal dialog, and out of a dialog before it is removed. Null on the server.
 */
function useHost(region: RefObject<HTMLElement | null>): HTMLElement | null {
  const isHydrated = useIsHydrated();
  const [host] = useState(() => (typeof document === "undefined" ? null : document.createElement("div")));
  useEffect(() => {
    if (!host) return;
    const settle = () => {
      const target = topmostModal() ?? document.body;
      if (host.parentElement !== target) target.append(host);
      if (region.current) raise(region.current, currentToasts().length > 0);
    };
    settle();
    const leave = subscribeToModals(settle);
    return () => {
      leave();
      host.remove();
    };
  }, [host, region]);
  return isHydrated ? host : null;
}

/** Shows the toasts above what was opened before; hides them if there is none. A popover that was moved is hidden. */
function raise(region: HTMLElement, hasToasts: boolean): void {
  if (region.matches(":popover-open")) region.hidePopover();
  if (hasToasts) region.showPopover();
}

function ToastItem({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);

  useEffect(() => {
    if (isHeld || toast.tone === "bad") return;
    const timer = setTimeout(
      () => dismissToast(toast.id),
      toast.action ? SHOWN_FOR_WITH_ACTION_MS : SHOWN_FOR_MS,
    );
    return () => clearTimeout(timer);
  }, [isHeld, toast]);

  return (
    <li
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex items-start gap-3 rounded-md border bg-overlay py-2 pr-2 pl-3 text-overlay-foreground shadow-overlay"
    >
      <span className="flex min-w-0 flex-1 items-start gap-2 py-1.5">
        <span className="flex h-5 shrink-0 items-center">
          <Status tone={toast.tone}>
            <span className="sr-only">
              {toast.tone === "bad" ? "Failed:" : toast.tone === "good" ? "Done:" : "Note:"}
            </span>
          </Status>
        </span>
        <span className="min-w-0 break-words">{toast.message}</span>
      </span>
      {toast.action && (
        <Button
          size="small"
          className="mt-0.5"
          onClick={() => {
            dismissToast(toast.id);
            toast.action?.onAct();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={<X />} onClick={() => dismissToast(toast.id)} />
    </li>
  );
}
