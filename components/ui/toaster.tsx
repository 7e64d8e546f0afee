"use client";

import { X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "./button";
import { IconButton } from "./icon-button";
import { Status } from "./status";
import { currentToasts, dismissToast, subscribeToToasts, type Toast } from "./toast";

const SHOWN_FOR_MS = 6_000;
const SHOWN_FOR_WITH_ACTION_MS = 12_000;
const none: readonly Toast[] = [];

/** Shows toasts at the bottom right. A popover, so that it is above everything. Announced politely. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, () => none);
  const region = useRef<HTMLElement>(null);

  useEffect(() => {
    const element = region.current;
    if (!element) return;
    if (toasts.length > 0 && !element.matches(":popover-open")) element.showPopover();
    if (toasts.length === 0 && element.matches(":popover-open")) element.hidePopover();
  }, [toasts]);

  return (
    <>
      <span role="status" className="sr-only">
        {toasts.at(-1)?.message}
      </span>
      <section
        ref={region}
        popover="manual"
        aria-label="Notifications"
        className="fixed inset-auto right-4 bottom-4 m-0 w-[min(380px,calc(100vw-2rem))] overflow-visible bg-transparent print:hidden"
      >
        <ol className="grid gap-2">
          {toasts.map((one) => (
            <ToastItem key={one.id} toast={one} />
          ))}
        </ol>
      </section>
    </>
  );
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
