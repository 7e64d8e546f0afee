/** Stands in place of a section while the gateway is down. `UnreachableNotice` gives the reason, once for the page. */
export function NotLoaded() {
  return (
    <p className="rounded-md border border-dashed px-4 py-6 text-center text-sm text-muted">Not loaded</p>
  );
}
