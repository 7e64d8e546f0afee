import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { StatePanel } from "./state-panel";

type EmptyStateProps = {
  /** 1 if the page has no head above. */
  level?: 1 | 2;
  icon: LucideIcon;
  title: string;
  /** Explains in a sentence what the objects are for. */
  children: ReactNode;
  /** The button that creates the first object. */
  action?: ReactNode;
  /** An example of such an object. */
  example?: ReactNode;
};

export function EmptyState({ level, icon, title, children, action, example }: EmptyStateProps) {
  return (
    <StatePanel {...(level && { level })} icon={icon} title={title} actions={action} footer={example}>
      {children}
    </StatePanel>
  );
}
