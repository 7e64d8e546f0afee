/**
 * Changes several parameters of the address at once; undefined or "" removes one. `isStep` adds a history entry, for
 * changes that replace everything shown, such as a range chosen in a chart.
 */
export function changeAddress(
  changes: Readonly<Record<string, string | undefined>>,
  { isStep = false } = {},
): void {
  const parameters = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const query = parameters.toString();
  const address = query ? `?${query}` : window.location.pathname;
  if (isStep) window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
}
