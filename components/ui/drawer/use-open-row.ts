"use client";

import type { MouseEvent } from "react";
import { useCallback, useRef } from "react";
import { changeAddress, useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { decodeSegment } from "@/lib/contract/path-segment";

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

/**
 * A row links to its own page, but a plain click opens it next to the list. Calls `open` with the last segment of the
 * link.
 */
export function openInPlace(event: MouseEvent<HTMLElement>, open: (id: string) => void): void {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const link = (event.target as HTMLElement).closest<HTMLAnchorElement>("a.stretched");
  const id = link?.pathname.split("/").at(-1);
  if (!isPlain || !id) return;
  event.preventDefault();
  open(decodeSegment(id) ?? id);
}
