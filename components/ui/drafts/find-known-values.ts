type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the entries of a draft that its form has a field for. A draft can be older than the console: a field may be
 * gone by then, or hold a list where it held a text, and the form couldn't show that.
 */
export function findKnownValues(draftValues: Values, formValues: Values): [name: string, value: unknown][] {
  return Object.entries(draftValues).filter(
    ([name, value]) => Object.hasOwn(formValues, name) && isLike(value, formValues[name]),
  );
}

/** An empty field may hold anything. A number field holds what was typed as a text, until that is a number. */
function isLike(value: unknown, present: unknown): boolean {
  if (present === null || present === undefined) return true;
  if (value === null) return typeof present === "number";
  return findKind(value) === findKind(present);
}

function findKind(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "number" ? "string" : typeof value;
}
