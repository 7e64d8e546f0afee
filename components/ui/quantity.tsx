import { groupDigits } from "./group-digits";

/** A count, grouped and exact: `1,234,567`. `null` is shown in words. */
export function Quantity({ value, none = "none" }: { value: number | bigint | null; none?: string }) {
  if (value === null) return <span className="text-muted">{none}</span>;
  return <data value={String(value)}>{groupDigits(String(value))}</data>;
}
