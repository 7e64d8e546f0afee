import type { OrganizationModel } from "@/lib/contract/operations/models";

/** The chat models that have a price: no others answer a prompt. */
export function callableModels(models: readonly OrganizationModel[]): OrganizationModel[] {
  return models.filter(({ family, price }) => family === "chat" && price !== null);
}

/** The first callable model that is an AI; where there is none, the first. */
export function firstCallable(models: readonly OrganizationModel[]): OrganizationModel | undefined {
  const callable = callableModels(models);
  return callable.find(({ sandbox }) => !sandbox) ?? callable[0];
}
