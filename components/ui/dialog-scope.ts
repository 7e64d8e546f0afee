"use client";

import { createContext, useContext } from "react";

type DialogScope = {
  id: string;
  /** Closes it, and asks first where something was typed in it. */
  close: () => void;
};

export const DialogContext = createContext<DialogScope | null>(null);

/** The dialog that this is in; null on the page itself. */
export function useDialogScope(): DialogScope | null {
  return useContext(DialogContext);
}
