import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { StatePanel } from "./state-panel";

type EmptyStateProps = {
  /** 1 where no page head stands above. */
  level?: 1 | 2;
  icon: LucideIcon;
  title: string;
  /** What this is for, in a sentence. */
  children: ReactNode;
  /** The one button that fills it. */
  action?: ReactNode;
  /** What one would look like. */
  example?: ReactNode;
};

export function EmptyState({ level, icon, title, children, action, example }: EmptyStateProps) {
  return (
    <StatePanel {...(level && { level })} icon={icon} title={title} actions={action} footer={example}>
      {children}
    </StatePanel>
  );
}
