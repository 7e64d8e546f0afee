import { type ReactNode, useId } from "react";
import { classNames } from "./class-names";

type PartProps = {
  title: string;
  /** The unit of all its figures, such as their currency. */
  unit?: string | undefined;
  children: ReactNode;
  /** False for a part with nothing but controls, which paper leaves out. */
  isPrinted?: boolean;
};

/** A titled part of an object's page. */
export function Part({ title, unit, children, isPrinted = true }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames("grid gap-2", !isPrinted && "print:hidden")}>
      <h2 id={id} className="font-semibold">
        {title}
        {unit && <span className="ml-1.5 text-xs font-normal text-muted">{unit}</span>}
      </h2>
      {children}
    </section>
  );
}

type FactsProps = {
  children: ReactNode;
  /** Puts values below their names on a phone. Use it for long names. */
  isStacked?: boolean;
};

/** A list of names and values. */
export function Facts({ children, isStacked = false }: FactsProps) {
  const columns = isStacked
    ? "sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] max-sm:[&>dd]:-mt-1.5"
    : "grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]";
  return <dl className={classNames("grid gap-x-6 gap-y-1.5", columns)}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
