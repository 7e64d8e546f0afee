const DECIMAL = /^\d+(\.\d+)?$/;

/** Whether a stored value and a retrieved one are the same: amounts by their worth, lists whatever their order. */
export function isSameValue(stored: unknown, retrieved: unknown): boolean {
  return normal(stored) === normal(retrieved);
}

function normal(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.toSorted());
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  if (DECIMAL.test(value)) return value.includes(".") ? value.replace(/\.?0+$/, "") : value;
  return value.startsWith("[") ? JSON.stringify((JSON.parse(value) as unknown[]).toSorted()) : value;
}
