const DECIMAL = /^\d+(\.\d+)?$/;

/** Returns true if a stored and a retrieved value are equal: amounts by value, lists regardless of order. */
export function isSameValue(stored: unknown, retrieved: unknown): boolean {
  return normal(stored) === normal(retrieved);
}

function normal(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.toSorted());
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  if (DECIMAL.test(value)) return value.includes(".") ? value.replace(/\.?0+$/, "") : value;
  return value.startsWith("[") ? JSON.stringify((JSON.parse(value) as unknown[]).toSorted()) : value;
}
