import { type Permission, permissions } from "@/lib/contract/permissions";

/** Each permission once, in the catalogue's order, so that equal roles compare as equal. */
export function inCatalogueOrder(held: readonly Permission[]): Permission[] {
  return permissions.filter((permission) => held.includes(permission));
}
