import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { Figure } from "@/components/ui/values/figure";

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

type SparklineProps = {
  values: readonly number[];
  /** Use "danger" (red) if higher values are worse. */
  tone?: "accent" | "danger";
};

/**
 * The shape of recent values, shown next to a figure. Hidden from assistive technology: the page it links to has the
 * values.
 */
function Sparkline({ values, tone = "accent" }: SparklineProps) {
  const max = Math.max(...values, 1e-9);
  const last = Math.max(1, values.length - 1);
  const line = values
    .map((value, index) => `${((index / last) * 100).toFixed(2)},${(38 - (value / max) * 36).toFixed(2)}`)
    .join(" L");
  const [fill, stroke] =
    tone === "danger" ? ["fill-danger", "stroke-danger"] : ["fill-accent", "stroke-accent"];
  if (values.length < 2) return <div className="h-10" />;
  return (
    <svg aria-hidden viewBox="0 0 100 40" preserveAspectRatio="none" className="h-10 w-full overflow-visible">
      <path d={`M0,40 L${line} L100,40 Z`} className={`${fill} opacity-10`} />
      <path
        d={`M${line}`}
        fill="none"
        strokeWidth={1.5}
        className={stroke}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
