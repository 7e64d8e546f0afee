import type { ReactNode } from "react";
import { classNames } from "./class-names";

/** A bordered surface. `flush` omits the padding, for content such as a table. */
export function Card({
  children,
  flush = false,
  className,
}: {
  children: ReactNode;
  flush?: boolean;
  className?: string;
}) {
  return (
    <div
      className={classNames(
        "relative rounded-md border bg-surface print:break-inside-avoid",
        !flush && "p-4",
        className,
      )}
    >
      {children}
    </div>
  );
}
