import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

export type Tone = "neutral" | "good" | "near" | "bad";

const looks: Record<Tone, { icon: LucideIcon; className: string }> = {
  neutral: { icon: CircleDashed, className: "text-muted" },
  good: { icon: CircleCheck, className: "text-success" },
  near: { icon: CircleAlert, className: "text-warning" },
  bad: { icon: CircleX, className: "text-danger" },
};

/**
 * A state with an icon and a word: settled or allowed (good), close to a limit (near), refused or destructive (bad).
 */
export function Status({ tone, children, icon }: { tone: Tone; children: ReactNode; icon?: LucideIcon }) {
  const look = looks[tone];
  const Icon = icon ?? look.icon;
  return (
    <span
      className={classNames("inline-flex items-baseline gap-1.5 text-sm whitespace-nowrap", look.className)}
    >
      <Icon aria-hidden className="size-3.5 shrink-0 self-center" />
      {children}
    </span>
  );
}

/** A neutral label on an object: "predefined", "sandbox". Use `Status` for a state. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-sm border bg-default-soft px-1.5 text-xs whitespace-nowrap text-muted">
      {children}
    </span>
  );
}
