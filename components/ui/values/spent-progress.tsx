import { formatCount } from "./group-digits";

/** The share of a spend limit that is spent, in a sentence. */
export function describeSpent(percent: number): string {
  return `${formatCount(percent)} % of it is spent`;
}

/** A bar of the share of a spend limit that is spent. */
export function SpentProgress({ percent }: { percent: number }) {
  return (
    <progress
      aria-label="Spent of the limit"
      value={Math.min(percent, 100)}
      max={100}
      className="h-1.5 w-full forced-color-adjust-none appearance-none overflow-hidden rounded-full bg-default text-accent"
    />
  );
}
