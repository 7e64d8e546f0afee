import { ArrowRight } from "lucide-react";
import { listCircuits, sortRoutes } from "@/components/models/open-routes";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { formatPercent } from "@/components/ui/values/percent";
import { Quantity } from "@/components/ui/values/quantity";
import { isFailing } from "@/lib/contract/calls/request-outcomes";
import { listRouteGroups, USUAL_WEIGHT } from "@/lib/contract/calls/route-groups";
import type { ModelRoute, OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Health, ModelHealth } from "@/lib/contract/operations/usage/health";

/** The columns of the list; without health, those of the routes alone. */
export function routeColumns(health: Health | null): readonly Column<OrganizationModel>[] {
  const columns: Column<OrganizationModel>[] = [
    {
      id: "model",
      header: "Model",
      phone: "title",
      width: "w-56",
      sortValue: ({ id }) => id,
      cell: ({ id }) => <span className="font-mono text-sm break-words">{id}</span>,
    },
    {
      id: "first",
      header: "First",
      sortValue: ({ routes }) => routes[0]?.provider ?? "",
      cell: ({ routes }) => <Group routes={listRouteGroups(routes)[0] ?? []} />,
    },
    {
      id: "then",
      header: "Then, if it fails",
      sortValue: ({ routes }) => listRouteGroups(routes).length,
      cell: ({ routes }) => <Fallbacks groups={listRouteGroups(routes).slice(1)} />,
    },
  ];
  if (!health) return columns;
  const circuits = listCircuits(health.providers);
  const ofModel = new Map(health.models.map((model) => [model.id, model]));
  return [
    ...columns,
    {
      id: "state",
      header: "Now",
      width: "w-44",
      sortValue: (model) => -sortRoutes(model, circuits).open.length,
      cell: (model) => <State {...sortRoutes(model, circuits)} ended={findEndedEarly(model)} />,
    },
    {
      id: "calls",
      header: "Calls",
      unit: "24 h",
      numeric: true,
      width: "w-24",
      sortValue: ({ id }) => ofModel.get(id)?.calls ?? 0,
      cell: ({ id }) => <Quantity value={ofModel.get(id)?.calls ?? 0} />,
    },
    {
      id: "failed",
      header: "Failed",
      unit: "24 h",
      numeric: true,
      width: "w-24",
      sortValue: ({ id }) => findFailedShare(ofModel.get(id)) ?? -1,
      cell: ({ id }) => <Failed health={ofModel.get(id)} />,
    },
  ];
}

/** Where the routes of a group aren't shared by weight. */
const firstWords = { weight: null, latency: "the fastest first", price: "the cheapest first" };

function Group({ routes }: { routes: readonly ModelRoute[] }) {
  const weights = routes.map(({ weight = USUAL_WEIGHT }) => weight);
  const sum = weights.reduce((one, other) => one + other, 0);
  const first = firstWords[routes[0]?.order ?? "weight"];
  return (
    <span className="grid gap-0.5">
      {routes.map(({ provider, model }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: two routes of a group may differ by their weight alone
          key={at}
          className="inline-flex flex-wrap items-center gap-x-1 font-mono text-sm wrap-anywhere"
        >
          {provider}
          <ArrowRight aria-label="answers as" className="size-3.5 shrink-0 text-muted" />
          <span className="text-muted">{model}</span>
          {routes.length > 1 && (
            <span className="font-sans text-muted">
              {weights[at] === 0 ? "off" : !first && formatPercent((weights[at] ?? 0) / sum)}
            </span>
          )}
        </span>
      ))}
      {first && routes.length > 1 && <span className="text-sm text-muted">{first}</span>}
    </span>
  );
}

function Fallbacks({ groups }: { groups: readonly (readonly ModelRoute[])[] }) {
  if (groups.length === 0) return <span className="text-muted">no fallback</span>;
  return (
    <span className="grid gap-0.5">
      {groups.map((routes, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is its position
        <Group key={at} routes={routes} />
      ))}
    </span>
  );
}

/** A canary that the gateway has ended, whose route still stands there. */
const findEndedEarly = ({ routes }: Pick<OrganizationModel, "routes">) =>
  routes.find(({ ended_early }) => ended_early !== undefined) ?? null;

type StateProps = ReturnType<typeof sortRoutes> & { ended: ModelRoute | null };

function State({ open, closed, ended }: StateProps) {
  if (open.length + closed.length === 0) return <Status tone="bad">no route</Status>;
  if (open.length === 0 && ended)
    return (
      <span title={ended.ended_early}>
        <Status tone="near">canary at {ended.provider} ended early</Status>
      </span>
    );
  if (open.length === 0) return <Status tone="good">healthy</Status>;
  if (closed.length === 0) return <Status tone="bad">calls are refused</Status>;
  return <Status tone="near">{open.map(({ provider }) => provider).join(", ")} skipped</Status>;
}

const findFailedShare = (health: ModelHealth | undefined): number | null =>
  health && health.calls > 0 ? health.errors / health.calls : null;

function Failed({ health }: { health: ModelHealth | undefined }) {
  const share = findFailedShare(health);
  if (!health || share === null) return <span className="text-muted">–</span>;
  if (share === 0) return <>{formatPercent(0, 0)}</>;
  return <Status tone={isFailing(health) ? "bad" : "near"}>{formatPercent(share, 1)}</Status>;
}
