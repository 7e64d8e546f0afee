import { CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import type { Tone } from "./status";

const looks: Record<Tone, { icon: LucideIcon; className: string }> = {
  neutral: { icon: Info, className: "bg-default-soft [&>svg]:text-muted" },
  good: { icon: CircleCheck, className: "border-success/30 bg-success-soft [&>svg]:text-success" },
  near: { icon: CircleAlert, className: "border-warning/30 bg-warning-soft [&>svg]:text-warning" },
  bad: { icon: CircleX, className: "border-danger/30 bg-danger-soft [&>svg]:text-danger" },
};

type NoticeProps = {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** `alert` for something that has just failed, `status` for something just done. */
  role?: "alert" | "status";
};

/** A message next to the part of the page it is about: a refused save, a saved form, stale figures. */
export function Notice({ tone = "neutral", title, children, actions, role }: NoticeProps) {
  const { icon: Icon, className } = looks[tone];
  return (
    <div role={role} className={classNames("flex gap-2.5 rounded-md border px-3 py-2.5", className)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && (
          <div className={classNames("text-sm wrap-anywhere", title ? "text-muted" : undefined)}>
            {children}
          </div>
        )}
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
