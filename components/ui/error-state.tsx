import { CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { IdChip } from "./id-chip";
import { StatePanel } from "./state-panel";

type ErrorStateProps = {
  /** What failed: "Rate limits could not be loaded". */
  title: string;
  /** What was kept and what to do. */
  children: ReactNode;
  /** The button that tries again. */
  action?: ReactNode;
  requestId?: string | undefined;
};

export function ErrorState({ title, children, action, requestId }: ErrorStateProps) {
  const support = requestId && (
    <span className="flex flex-wrap items-center gap-x-2">
      Request id for support <IdChip id={requestId} what="request id" />
    </span>
  );
  return (
    <StatePanel role="alert" icon={CircleX} title={title} actions={action} footer={support}>
      {children}
    </StatePanel>
  );
}
