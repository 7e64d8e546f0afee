import { CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { IdChip } from "../text/id-chip";
import { StatePanel } from "./state-panel";

type ErrorStateProps = {
  /** 1 if the page has no head above. */
  level?: 1 | 2;
  /** What failed: "Rate limits could not be loaded". */
  title: string;
  /** What was kept and what the person can do. */
  children: ReactNode;
  /** The retry button. */
  action?: ReactNode;
  requestId?: string | undefined;
  /** The id under which the console logged the error. Set if there was no request to the gateway. */
  errorId?: string | undefined;
};

export function ErrorState({ level, title, children, action, requestId, errorId }: ErrorStateProps) {
  const id = requestId ?? errorId;
  const support = id && (
    <span className="flex flex-wrap items-center gap-x-2">
      {requestId ? "Request id for support" : "Error id in the console’s log"}
      <IdChip id={id} what={requestId ? "request id" : "error id"} />
    </span>
  );
  return (
    <StatePanel
      {...(level && { level })}
      role="alert"
      icon={CircleX}
      title={title}
      actions={action}
      footer={support}
    >
      {children}
    </StatePanel>
  );
}
