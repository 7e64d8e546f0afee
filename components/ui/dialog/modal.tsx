"use client";

import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { contained } from "@/components/ui/browser/contained";
import { isComposing } from "@/components/ui/browser/is-composing";
import { classNames } from "@/components/ui/class-names";
import { enterModal, leaveModal } from "./open-modals";

const positions = {
  center: "m-auto w-[min(480px,calc(100vw-2rem))] max-h-[calc(100dvh-4rem)] rounded-md border",
  wide: "m-auto w-[min(720px,calc(100vw-2rem))] max-h-[calc(100dvh-4rem)] rounded-md border",
  top: "mx-auto mt-[12vh] mb-auto w-[min(560px,calc(100vw-2rem))] max-h-[70dvh] rounded-md border",
  left: "my-0 mr-auto ml-0 h-dvh max-h-dvh w-[min(288px,calc(100vw-3rem))] border-r",
  right: "my-0 mr-0 ml-auto h-dvh max-h-dvh w-[min(480px,100vw)] border-l backdrop:opacity-50",
};

export type ModalPosition = keyof typeof positions;

type ModalProps = {
  /** Called on Escape or a click outside. */
  onClose: () => void;
  label?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  position?: ModalPosition;
  /** Only its own buttons close the dialog. */
  persistent?: boolean;
  children: ReactNode;
};

/**
 * The browser's modal dialog: the page behind is inert, the first field gets the focus, and the focus returns on
 * closing. Mounted only while open, at the end of the document.
 */
export function Modal({
  onClose,
  label,
  labelledBy,
  describedBy,
  position = "center",
  persistent = false,
  children,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect is cleaned up while the element is still in the document, so `close` can return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    focusFirst(element);
    enterModal(element);
    return () => {
      element.close();
      leaveModal(element);
      queueMicrotask(keepReturnedFocus);
    };
  }, []);

  function closeOnEscape(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.key !== "Escape" || isComposing(event)) return;
    // Otherwise the browser closes the dialog on a second Escape without regard to `onClose`.
    event.preventDefault();
    if (!persistent) onClose();
  }

  return createPortal(
    <dialog
      ref={dialog}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      {...contained}
      onMouseDown={(event) => {
        event.stopPropagation();
        if (event.target !== event.currentTarget) return;
        // Otherwise the press would take the focus that closing returns.
        event.preventDefault();
        if (!persistent) onClose();
      }}
      onKeyDown={closeOnEscape}
      onCancel={(event) => {
        event.preventDefault();
        if (!persistent) onClose();
      }}
      // A browser may close a dialog that has no focus inside without a cancel event. Reopen it.
      onClose={({ currentTarget }) => !currentTarget.open && showAgain(currentTarget)}
      className={classNames(
        "bg-overlay p-0 text-overlay-foreground shadow-overlay outline-none",
        positions[position],
      )}
    >
      {children}
    </dialog>,
    document.body,
  );
}

function showAgain(dialog: HTMLDialogElement): void {
  dialog.showModal();
  enterModal(dialog);
}

const FIELDS = "input:enabled:not([type=hidden]), select:enabled, textarea:enabled";
const CONTROLS = "a[href], button:enabled, summary, [tabindex='0']";

/** Prefers fields. By default the browser would focus a scrolling box before them. */
function focusFirst(dialog: HTMLElement): void {
  const field = dialog.querySelector<HTMLElement>(FIELDS);
  (findChosen(field) ?? dialog.querySelector<HTMLElement>(CONTROLS) ?? dialog).focus();
}

/** For radio buttons, returns the selected one. */
function findChosen(field: HTMLElement | null | undefined): HTMLElement | null {
  if (!(field instanceof HTMLInputElement) || field.type !== "radio") return field ?? null;
  const group = [...document.getElementsByName(field.name)] as HTMLInputElement[];
  return group.find((radio) => radio.checked && !radio.disabled) ?? field;
}

/**
 * Keeps the focus on the page after a dialog has returned it. The element it returned to may be gone with the same
 * change, or once a list is read again, such as the button of an empty list.
 */
function keepReturnedFocus(): void {
  focusMainIfLost();
  const returned = document.activeElement;
  const check = () => {
    if (returned?.isConnected && document.activeElement === returned) return;
    observer.disconnect();
    returned?.removeEventListener("blur", checkSoon);
    if (!returned?.isConnected) focusMainIfLost();
  };
  const checkSoon = () => queueMicrotask(check);
  const observer = new MutationObserver(check);
  observer.observe(document.body, { childList: true, subtree: true });
  returned?.addEventListener("blur", checkSoon);
}

/** The next Tab then reaches the first control of the screen instead of the first of the page. */
function focusMainIfLost(): void {
  if (document.activeElement !== document.body || document.querySelector("dialog:modal")) return;
  document.getElementById("main")?.focus({ preventScroll: true });
}
