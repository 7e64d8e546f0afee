import type { CheckboxOptionGroup } from "@/components/ui/fields/choose-options";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

/** Groups models by their first provider. Selected models that no longer exist come last. */
export function groupModels(
  models: readonly OrganizationModel[],
  named: readonly string[],
): CheckboxOptionGroup[] {
  const groups = new Map<string, { value: string; sentence: string }[]>();
  const add = (heading: string, value: string, sentence: string) =>
    groups.set(heading, [...(groups.get(heading) ?? []), { value, sentence }]);
  for (const { id, description, family, routes } of models) {
    add(routes[0]?.provider ?? "Without a route", id, description ?? `A model of the family ${family}.`);
  }
  const known = new Set(models.map(({ id }) => id));
  for (const id of named) if (!known.has(id)) add("Not there any more", id, "It was removed.");
  return [...groups].map(([heading, options]) => ({ heading, options }));
}
