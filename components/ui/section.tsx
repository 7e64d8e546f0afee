import { type ReactNode, useId } from "react";

type SectionProps = { title: string; description?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** A titled part of a page. */
export function Section({ title, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          {description && <p className="max-w-3xl text-sm text-pretty text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
