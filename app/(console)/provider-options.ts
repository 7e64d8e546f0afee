import type { OrganizationModel } from "@/lib/contract/operations/models";

/** The providers that models lead to, as options of a filter; also one that is asked for and that none leads to any more. */
export function providerOptions(
  models: readonly Pick<OrganizationModel, "routes">[],
  asked: string,
): { readonly value: string; readonly label: string }[] {
  const ids = new Set(models.flatMap(({ routes }) => routes.map(({ provider }) => provider)));
  if (asked !== "") ids.add(asked);
  return [...ids].toSorted().map((id) => ({ value: id, label: id }));
}
