"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/**
 * A parameter of the address as state; "" if it is absent. Changing it makes no request to the server and adds no history entry.
 */
export function useUrlParameter(name: string): [string, (value: string) => void] {
  const value = useSearchParams().get(name) ?? "";
  const setValue = useCallback(
    (next: string) => {
      const parameters = new URLSearchParams(window.location.search);
      if (next) parameters.set(name, next);
      else parameters.delete(name);
      const query = parameters.toString();
      window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
    },
    [name],
  );
  return [value, setValue];
}
