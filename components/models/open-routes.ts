import type { ModelRoute, OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Health, OpenCircuit } from "@/lib/contract/operations/usage/health";

export interface ListedCircuit extends OpenCircuit {
  readonly provider: string;
}

type Circuit = Pick<ListedCircuit, "provider" | "model">;
type RoutedModel = Pick<OrganizationModel, "id" | "routes">;

/** A model with a route to an open circuit. */
export interface ReroutedModel {
  readonly id: string;
  /** The provider that gets its calls; null if they are refused. */
  readonly provider: string | null;
}

export function listCircuits(providers: Health["providers"]): ListedCircuit[] {
  return providers.flatMap(({ id, open_circuits }) =>
    open_circuits.map((circuit) => ({ ...circuit, provider: id })),
  );
}

/** The routes that get calls, by whether their circuit is open: calls skip those, and are refused without another. */
export function sortRoutes(
  { routes }: Pick<RoutedModel, "routes">,
  circuits: readonly Circuit[],
): { readonly open: readonly ModelRoute[]; readonly closed: readonly ModelRoute[] } {
  const nowS = Date.now() / 1_000;
  const running = routes.filter(({ weight, ends_at }) => weight !== 0 && (ends_at ?? nowS + 1) > nowS);
  const isOpen = (route: ModelRoute) => circuits.some((circuit) => leadsTo(route, circuit));
  return { open: running.filter(isOpen), closed: running.filter((route) => !isOpen(route)) };
}

/** The models whose calls would go to a circuit, with the first of their routes whose circuit is closed. */
export function findReroutedModels(
  circuit: Circuit,
  circuits: readonly Circuit[],
  models: readonly RoutedModel[],
): ReroutedModel[] {
  return models.flatMap((model) => {
    const { open, closed } = sortRoutes(model, circuits);
    const isRerouted = open.some((route) => leadsTo(route, circuit));
    return isRerouted ? [{ id: model.id, provider: closed[0]?.provider ?? null }] : [];
  });
}

const leadsTo = (route: ModelRoute, { provider, model }: Circuit) =>
  route.provider === provider && route.model === model;
