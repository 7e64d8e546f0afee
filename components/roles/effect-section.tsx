import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

type EffectSectionProps = {
  title: string;
  count: string;
  icon?: ReactNode;
  tone?: "near" | undefined;
  children: ReactNode;
};

/** A part of the pane: its title, how many, and who or what. */
export function EffectSection({ title, count, icon, tone, children }: EffectSectionProps) {
  return (
    <section aria-label={title}>
      <h3 className="mt-2 mb-1 flex items-center gap-2 font-semibold">
        {icon}
        {title}
        <span
          className={classNames(
            "rounded-full px-2 text-xs leading-5 font-medium",
            tone === "near" ? "bg-warning-soft text-warning" : "bg-default text-muted",
          )}
        >
          {count}
        </span>
      </h3>
      {children}
    </section>
  );
}
