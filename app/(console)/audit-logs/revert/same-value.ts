const DECIMAL = /^\d+(\.\d+)?$/;

/** Returns true if a stored and a retrieved value are equal: amounts by value, lists and properties in any order. */
export function isSameValue(stored: unknown, retrieved: unknown): boolean {
  return normal(parsed(stored)) === normal(parsed(retrieved));
}

/** The log stores lists and objects as JSON. Other text may begin like it. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function normal(value: unknown): string {
  if (typeof value === "string") {
    return DECIMAL.test(value) && value.includes(".") ? value.replace(/\.?0+$/, "") : value;
  }
  if (Array.isArray(value)) return JSON.stringify(value.map(normal).toSorted());
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return JSON.stringify(entries.map(([name, each]) => [name, normal(each)]).toSorted());
}
