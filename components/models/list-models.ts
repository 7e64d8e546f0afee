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
