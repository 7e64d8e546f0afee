/** Longer lists end with the number of the others. */
const NAMED = 4;

const list = new Intl.ListFormat("en-GB");

/** "Ada", "Ada and Ben", "Ada, Ben and Cleo"; of many the first, and how many more there are. */
export function joinNames(names: readonly string[]): string {
  const isLong = names.length > NAMED + 1;
  return list.format(isLong ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names);
}
