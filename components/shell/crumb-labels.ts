/** Names by path: of pages that are no objects from the start, of objects once their pages are read. */
const labels = new Map([
  ["/audit-logs/refused", "Refused access"],
  ["/models/new", "Add model"],
  ["/payments/import", "Import payments"],
  ["/roles/new", "Create role"],
  ["/statements/compare", "Compare an invoice"],
]);
const listeners = new Set<() => void>();

export function nameCrumb(pathname: string, label: string): void {
  if (labels.get(pathname) === label) return;
  labels.set(pathname, label);
  for (const listener of listeners) listener();
}

export function crumbLabel(pathname: string): string | undefined {
  return labels.get(pathname);
}

export function subscribeToCrumbs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
