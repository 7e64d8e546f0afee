"use client";

import { createContext, type ReactNode, useContext } from "react";

type Render = (permission: string) => ReactNode;

const RefusedActionContext = createContext<Render | null>(null);

/** Provides what a refused person may do about it, below every `<RefusedState>`. */
export function RefusedActionScope({ render, children }: { render: Render | null; children: ReactNode }) {
  return <RefusedActionContext value={render}>{children}</RefusedActionContext>;
}

export function RefusedAction({ permission }: { permission: string }) {
  return useContext(RefusedActionContext)?.(permission);
}

/** True around data of an earlier question, such as a list whose filter was changed, until the answer has come. */
export const BusyContext = createContext(false);
