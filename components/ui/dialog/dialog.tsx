"use client";

import { X } from "lucide-react";
import { createContext, type ReactNode, useContext, useId } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Modal, type ModalPosition } from "./modal";
import { confirmLeave } from "./unsaved";

type DialogProps = {
  open: boolean;
  /** Called on Escape, the close button or a click outside. Unsaved input is confirmed first. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons. The primary one comes last. */
  footer?: ReactNode;
  position?: ModalPosition;
  /** Only its own buttons close the dialog, because its content can't be shown again. */
  persistent?: boolean;
  /** True while what the dialog is for is under way. Closing it wouldn't stop that, and would hide its outcome. */
  isBusy?: boolean;
};

/** A titled modal dialog. Its content is mounted only while it is open, so that forms start fresh. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  position,
  persistent = false,
  isBusy = false,
}: DialogProps) {
  const id = useId();
  if (!open) return null;
  const close = () => {
    if (!isBusy) confirmLeave(onClose, id);
  };
  return (
    <Modal
      onClose={close}
      labelledBy={`${id}-title`}
      describedBy={description ? `${id}-description` : undefined}
      persistent={persistent}
      {...(position && { position })}
    >
      <DialogContext value={{ id, close, isBusy }}>
        <div className="flex h-full max-h-[inherit] flex-col">
          <div className="px-5 pt-4 pr-12">
            <h2 id={`${id}-title`} className="text-lg font-semibold break-words">
              {title}
            </h2>
            {description && (
              <div id={`${id}-description`} className="mt-1 text-pretty text-muted">
                {description}
              </div>
            )}
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-3 pb-5 -outline-offset-2">{children}</div>
          {footer && <div className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</div>}
          {/* Last in the document, so that the content gets the initial focus and not this button. */}
          {!persistent && (
            <div className="absolute top-3 right-3">
              <IconButton label="Close" icon={<X />} onClick={close} disabled={isBusy} />
            </div>
          )}
        </div>
      </DialogContext>
    </Modal>
  );
}

type DialogScope = {
  id: string;
  /** Closes the dialog. Confirms first if it has unsaved input. */
  close: () => void;
  /** True while nothing closes the dialog. */
  isBusy: boolean;
};

const DialogContext = createContext<DialogScope | null>(null);

/** Returns the surrounding dialog; null on the page itself. */
export function useDialogScope(): DialogScope | null {
  return useContext(DialogContext);
}
