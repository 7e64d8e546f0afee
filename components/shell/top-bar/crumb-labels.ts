"use client";

import { paths } from "@/lib/console/paths";

/** Labels by path. Fixed pages are listed here; an object's page adds its name once it is loaded. */
const labels = new Map([
  [paths.accessRefusals(), "Refused access"],
  [paths.newModel(), "Add model"],
  [paths.formerPayments(), "Payments"],
  [paths.newProvider(), "Add a provider"],
  [paths.checkPrices(), "Check for new prices"],
  [paths.importPayments(), "Import payments"],
  [paths.membersUpload(), "Upload"],
  [paths.reconcile(), "Reconcile"],
  [paths.newRole(), "Create role"],
  [paths.compareRoles(), "Compare"],
  [paths.whoCan(), "Who can…?"],
  [paths.compareInvoice(), "Compare an invoice"],
]);

const listeners = new Set<() => void>();

export function nameCrumb(pathname: string, label: string): void {
  if (labels.get(pathname) === label) return;
  labels.set(pathname, label);
  for (const listener of listeners) listener();
}

export function findCrumbLabel(pathname: string): string | undefined {
  return labels.get(pathname);
}

export function subscribeToCrumbs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
