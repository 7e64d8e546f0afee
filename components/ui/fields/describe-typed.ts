/**
 * Returns a form's values as text to copy, a line for each field that has one, in the order of the labels. Nested
 * fields have dotted names.
 */
export function describeTyped(
  values: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string | undefined>>,
): string {
  return Object.entries(labels)
    .flatMap(([path, label]) => {
      const text = writeValue(readPath(values, path));
      return label && text !== "" ? [`${label}: ${text}`] : [];
    })
    .join("\n");
}

function readPath(values: Readonly<Record<string, unknown>>, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined | null)?.[name], values);
}

function writeValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
