"use client";

import { useState } from "react";
import { useReopen } from "@/components/ui/drafts/draft-scope";

type FormDialogState = { isOpen: boolean; open: () => void; close: () => void };

/**
 * The dialog of a named form. It also opens by the address's `open` parameter and for a stored draft, if the person
 * has the permission to send it (`canSend`).
 */
export function useFormDialog(name: string, canSend = true): FormDialogState {
  const [isOpen, setIsOpen] = useState(false);
  useReopen(name, () => setIsOpen(canSend));
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}
