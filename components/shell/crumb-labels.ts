const labels = new Map<string, string>();
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
