import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type StatePanelProps = {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  role?: "alert";
};

/** The frame shared by the states a screen can be in when it has no rows to show. */
export function StatePanel({ icon: Icon, title, children, actions, footer, role }: StatePanelProps) {
  return (
    <div role={role} className="rounded-md border bg-surface px-6 py-10">
      <div className="mx-auto grid max-w-[480px] justify-items-start gap-4">
        <Icon aria-hidden className="size-5 text-muted" />
        <div className="grid gap-1">
          <h2 className="text-lg font-semibold">{title}</h2>
          <div className="text-muted">{children}</div>
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        {footer && <div className="w-full border-t pt-4 text-sm text-muted">{footer}</div>}
      </div>
    </div>
  );
}
