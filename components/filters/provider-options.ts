import type { OrganizationModel } from "@/lib/contract/operations/models/models";

/**
 * Returns the providers of all models as filter options. Includes the selected one even if no model uses it any more.
 */
export function providerOptions(
  models: readonly Pick<OrganizationModel, "routes">[],
  asked: string,
): { readonly value: string; readonly label: string }[] {
  const ids = new Set(models.flatMap(({ routes }) => routes.map(({ provider }) => provider)));
  if (asked !== "") ids.add(asked);
  return [...ids].toSorted().map((id) => ({ value: id, label: id }));
}
