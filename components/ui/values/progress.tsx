import { formatCount } from "./group-digits";

type ProgressProps = { label: string; done: number; total: number; unit?: string };

/** The progress of long work: "1,204 of 5,000 rows". */
export function Progress({ label, done, total, unit }: ProgressProps) {
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between gap-4 text-sm">
        <span>{label}</span>
        <span className="text-muted">
          {formatCount(done)} of {formatCount(total)} {unit}
        </span>
      </div>
      <progress
        aria-label={label}
        value={done}
        max={total}
        className="h-1.5 w-full forced-color-adjust-none appearance-none overflow-hidden rounded-full bg-default text-accent"
      />
    </div>
  );
}
