import type { ReactNode } from "react";

/** An important number with its name above and an explanation below. Goes into a `Card`. */
export function Figure({
  label,
  children,
  note,
}: {
  label: ReactNode;
  children: ReactNode;
  note?: ReactNode;
}) {
  return (
    <dl className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1 text-xl font-semibold">{children}</dd>
      {note && <dd className="mt-1 text-sm text-muted">{note}</dd>}
    </dl>
  );
}
