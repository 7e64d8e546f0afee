/** Changes several parameters of the address at once; undefined takes one out. */
export function changeAddress(changes: Readonly<Record<string, string | undefined>>): void {
  const parameters = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const query = parameters.toString();
  window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
}
