import type { CheckboxOptionGroup } from "@/components/ui/fields/checkbox-group";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

/** Returns the chat models with a price. Only these answer prompts. */
export function listCallableModels(models: readonly OrganizationModel[]): OrganizationModel[] {
  return models.filter(({ family, price }) => family === "chat" && price !== null);
}

/** Returns the models with a price, of any family, chat models first. */
export function listPlayableModels(models: readonly OrganizationModel[]): OrganizationModel[] {
  const priced = models.filter(({ price, unit_price }) => price !== null || unit_price !== null);
  return [...listCallableModels(priced), ...priced.filter(({ family }) => family !== "chat")];
}

/** Returns the first callable model outside of the sandbox; if there is none, the first. */
export function findFirstCallable(models: readonly OrganizationModel[]): OrganizationModel | undefined {
  const callable = listCallableModels(models);
  return callable.find(({ sandbox }) => !sandbox) ?? callable[0];
}

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
