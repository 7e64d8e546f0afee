"use client";

import { useCallback, useRef } from "react";
import { changeAddress } from "../filters/change-address";
import { useUrlParameter } from "../filters/use-url-parameter";

/**
 * The row that a drawer beside its list shows; "" for none. It is in the address, and opening it is a step of the
 * browser's history: Back closes the drawer.
 */
export function useOpenRow(parameter = "open"): [string, (id: string) => void] {
  const [open, setOpen] = useUrlParameter(parameter);
  const isStep = useRef(false);
  const show = useCallback(
    (id: string) => {
      const isOpen = new URLSearchParams(window.location.search).has(parameter);
      if (id !== "" && !isOpen) {
        isStep.current = true;
        changeAddress({ [parameter]: id }, { isStep: true });
      } else if (id === "" && isOpen && isStep.current) {
        isStep.current = false;
        window.history.back();
      } else {
        setOpen(id);
      }
    },
    [parameter, setOpen],
  );
  return [open, show];
}
