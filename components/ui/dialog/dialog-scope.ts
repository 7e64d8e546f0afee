"use client";

import { createContext, useContext } from "react";

type DialogScope = {
  id: string;
  /** Closes the dialog. Confirms first if it has unsaved input. */
  close: () => void;
  /** True while nothing closes the dialog. */
  isBusy: boolean;
};

export const DialogContext = createContext<DialogScope | null>(null);

/** Returns the surrounding dialog; null on the page itself. */
export function useDialogScope(): DialogScope | null {
  return useContext(DialogContext);
}
