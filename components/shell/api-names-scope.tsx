"use client";

import type { ReactNode } from "react";
import { ApiNamesContext } from "../ui/api-name";

/** Shows or hides the API's names of fields in `children`. */
export function ApiNamesScope({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return <ApiNamesContext value={isOn}>{children}</ApiNamesContext>;
}
