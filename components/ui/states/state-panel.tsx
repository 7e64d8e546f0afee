import type { LucideIcon } from "lucide-react";
import { CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { IdChip } from "@/components/ui/text/id-chip";

type StatePanelProps = {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  role?: "alert";
  /** 1 if the panel is the whole page. */
  level?: 1 | 2;
};

/** The frame of the empty, error, refused and unsupported states. */
export function StatePanel({
  icon: Icon,
  title,
  children,
  actions,
  footer,
  role,
  level = 2,
}: StatePanelProps) {
  const Heading = `h${level}` as const;
  return (
    <div role={role} className="rounded-md border bg-surface px-5 py-6 sm:px-8 sm:py-8">
      <div className="grid max-w-[480px] justify-items-start gap-4">
        <Icon aria-hidden className="size-5 text-muted" />
        <div className="grid gap-1">
          <Heading className="text-lg font-semibold">{title}</Heading>
          <div className="text-muted">{children}</div>
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        {footer && <div className="w-full border-t pt-4 text-sm text-muted">{footer}</div>}
      </div>
    </div>
  );
}

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
