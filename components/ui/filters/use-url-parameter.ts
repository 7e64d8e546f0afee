"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { changeAddress } from "./change-address";

/**
 * A parameter of the address as state; "" if it is absent. Changing it makes no request to the server and adds no
 * history entry.
 */
export function useUrlParameter(name: string): [string, (value: string) => void] {
  const value = useSearchParams().get(name) ?? "";
  const setValue = useCallback((next: string) => changeAddress({ [name]: next }), [name]);
  return [value, setValue];
}
