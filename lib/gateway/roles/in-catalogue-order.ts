import { type Permission, permissions } from "@/lib/contract/access/permissions";

/** Each permission once, in the catalogue's order, so that equal roles compare as equal. */
export function inCatalogueOrder(permissionList: readonly Permission[]): Permission[] {
  return permissions.filter((permission) => permissionList.includes(permission));
}
