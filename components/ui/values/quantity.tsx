import { formatCount } from "./group-digits";

/** An exact, grouped count: `1,234,567`. `null` shows `none`. */
export function Quantity({ value, none = "none" }: { value: number | bigint | null; none?: string }) {
  if (value === null) return <span className="text-muted">{none}</span>;
  return <data value={String(value)}>{formatCount(value)}</data>;
}
