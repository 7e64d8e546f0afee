/** Joins the class names that apply, leaving out the conditions that did not hold. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
