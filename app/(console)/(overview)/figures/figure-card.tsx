import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { Figure } from "@/components/ui/values/figure";
import { Sparkline } from "./sparkline";

type FigureCardProps = {
  label: string;
  /** The page that has the values. */
  href: string;
  children: ReactNode;
  note: ReactNode;
  values: readonly number[];
  tone?: "accent" | "danger";
};

/** A figure with a comparison and its recent shape. The whole card is a link. */
export function FigureCard({ label, href, children, note, values, tone }: FigureCardProps) {
  return (
    <Card className="grid content-between gap-4 hover:bg-default-soft max-sm:grid-cols-[minmax(0,1fr)_33%] max-sm:items-end">
      <Figure
        label={
          <ConsoleLink href={href} className="stretched rounded-sm">
            {label}
          </ConsoleLink>
        }
        note={note}
      >
        <span className="whitespace-nowrap">{children}</span>
      </Figure>
      <Sparkline values={values} {...(tone && { tone })} />
    </Card>
  );
}
