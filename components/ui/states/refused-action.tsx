"use client";

import { type ComponentType, createContext, type ReactNode, useContext } from "react";

type RefusedActionProps = { permission: string };

const RefusedActionContext = createContext<ComponentType<RefusedActionProps> | null>(null);

/** Provides what a refused person may do about it, below every `<RefusedState>`. */
export function RefusedActionScope({
  action,
  children,
}: {
  action: ComponentType<RefusedActionProps> | null;
  children: ReactNode;
}) {
  return <RefusedActionContext value={action}>{children}</RefusedActionContext>;
}

export function RefusedAction({ permission }: RefusedActionProps) {
  const Action = useContext(RefusedActionContext);
  return Action && <Action permission={permission} />;
}
