import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { OpenCircuit } from "@/lib/contract/operations/usage/health";

export interface ListedCircuit extends OpenCircuit {
  readonly provider: string;
}

/** A model with a route to an open circuit. */
export interface ReroutedModel {
  readonly id: string;
  /** The provider that gets its calls; null if they are refused. */
  readonly provider: string | null;
}

/** Returns the models that have a route to the circuit, with the first of their routes whose circuit is closed. */
export function findReroutedModels(
  { provider, model }: Pick<ListedCircuit, "provider" | "model">,
  circuits: readonly Pick<ListedCircuit, "provider" | "model">[],
  models: readonly Pick<OrganizationModel, "id" | "routes">[],
): ReroutedModel[] {
  const isOpen = (route: { provider: string; model: string }) =>
    circuits.some((circuit) => circuit.provider === route.provider && circuit.model === route.model);
  return models
    .filter(({ routes }) => routes.some((route) => route.provider === provider && route.model === model))
    .map(({ id, routes }) => ({ id, provider: routes.find((route) => !isOpen(route))?.provider ?? null }));
}
