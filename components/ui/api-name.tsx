"use client";

import type { ReactNode } from "react";
import { createContext, useContext } from "react";

/** Whether the API's names of fields are shown beside the human ones: one choice of the person for all screens. */
export const ApiNamesContext = createContext(true);

/** Returns the name where it is shown, otherwise undefined. For tooltips. */
export function useApiName(name: string | undefined): string | undefined {
  return useContext(ApiNamesContext) ? name : undefined;
}

/** The API's name of a field, beside its label. */
export function ApiName({ name }: { name: string | undefined }) {
  const shown = useApiName(name);
  return shown ? <code className="font-mono text-xs break-all text-muted">{shown}</code> : null;
}

/** Shows or hides the API's names of fields in `children`. */
export function ApiNamesScope({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return <ApiNamesContext value={isOn}>{children}</ApiNamesContext>;
}
