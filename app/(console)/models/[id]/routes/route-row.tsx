"use client";

import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { Badge, Status } from "@/components/ui/status";
import { ClockTime } from "@/components/ui/time/clock-time";
import { DateTime } from "@/components/ui/time/date-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { Money } from "@/components/ui/values/money";
import { formatNearestPercent, formatPercent } from "@/components/ui/values/percent";
import { Quantity } from "@/components/ui/values/quantity";
import type { ActiveRoute } from "@/lib/contract/operations/models/model-routes";
import { findShare, type RouteValue, stateWords } from "./route-words";

type RouteRowProps = {
  routes: readonly RouteValue[];
  position: number;
  /** Null while it isn't known, and for a route that isn't saved. */
  activity: ActiveRoute | null;
  canWrite: boolean;
  edit: (fields: Partial<RouteValue>) => void;
  openEditor: () => void;
  move: (by: -1 | 1) => void;
  remove: () => void;
};

/** One route: what it is, its weight, how its calls went, and whether it gets any. */
export function RouteRow({
  routes,
  position,
  activity,
  canWrite,
  edit,
  openEditor,
  move,
  remove,
}: RouteRowProps) {
  const route = routes[position];
  if (!route) return null;
  const name = `${route.provider} ${route.model}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Alt and arrows are a shortcut of the buttons in the row
    <div
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-3 py-2 last:border-b-0"
      onKeyDown={(event) => {
        if (!canWrite || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        move(event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <RouteName route={route} />
      <Weight routes={routes} route={route} name={name} canWrite={canWrite} edit={edit} />
      <RouteFigures activity={activity} />
      {canWrite && (
        <div className="ml-auto flex gap-1">
          <IconButton
            label={`Edit ${name}`}
            icon={<Pencil aria-hidden />}
            size="small"
            onClick={openEditor}
          />
          <IconButton
            label={`Move ${name} up`}
            icon={<ArrowUp aria-hidden />}
            size="small"
            disabled={position === 0}
            onClick={() => move(-1)}
          />
          <IconButton
            label={`Move ${name} down`}
            icon={<ArrowDown aria-hidden />}
            size="small"
            onClick={() => move(1)}
          />
          <IconButton
            label={`Remove ${name}`}
            icon={<Trash2 aria-hidden />}
            size="small"
            disabled={routes.length === 1}
            onClick={remove}
          />
        </div>
      )}
    </div>
  );
}

function RouteName({ route }: { route: RouteValue }) {
  return (
    <div className="min-w-40 flex-1">
      <div className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
        {route.provider}
        {route.ends_at !== null && (
          <Badge>
            until <DateTime at={route.ends_at} />
          </Badge>
        )}
      </div>
      <div className="font-mono text-sm wrap-anywhere text-muted">
        {route.model}
        {route.context_window !== null && (
          <>
            {" · "}
            <Quantity value={route.context_window} /> tokens
          </>
        )}
      </div>
      {route.price && (
        <div className="text-sm text-muted">
          charges <Money amount={route.price.input_per_1m} /> in,{" "}
          <Money amount={route.price.output_per_1m ?? "0"} /> out
        </div>
      )}
    </div>
  );
}

type WeightProps = Pick<RouteRowProps, "routes" | "canWrite" | "edit"> & { route: RouteValue; name: string };

function Weight({ routes, route, name, canWrite, edit }: WeightProps) {
  const share = findShare(routes, route);
  const isAlone = routes.filter(({ group }) => group === route.group).length === 1;
  return (
    <div className="flex items-center gap-2 sm:w-44 sm:justify-end">
      {canWrite ? (
        <label className="flex items-center gap-2 text-sm text-muted">
          <span>
            Weight<span className="sr-only"> of {name}</span>
          </span>
          <input
            className="field h-8 w-16 text-right tabular-nums pointer-coarse:h-11"
            inputMode="numeric"
            value={route.weight ?? ""}
            aria-invalid={route.weight === null}
            onChange={({ target }) => edit({ weight: readWeight(target.value) })}
          />
        </label>
      ) : (
        <span className="text-sm text-muted">weight {route.weight}</span>
      )}
      {share !== null && !isAlone && route.order === "weight" && (
        <span className="w-12 text-right text-sm whitespace-nowrap tabular-nums">
          {formatNearestPercent(share)}
        </span>
      )}
    </div>
  );
}

/** The number in what is typed, at most 1,000; null for none. */
function readWeight(text: string): number | null {
  const digits = text.replaceAll(/\D/g, "").slice(0, 4);
  return digits === "" ? null : Math.min(Number(digits), 1_000);
}

function RouteFigures({ activity }: Pick<RouteRowProps, "activity">) {
  if (!activity) return <span className="w-64 text-sm text-muted">no figures yet</span>;
  const { attempts, errors, first_byte_p50_ms: p50, first_byte_p95_ms: p95, state, until, cause } = activity;
  const { tone, words } = stateWords[state];
  return (
    <div className="grid w-64 gap-0.5 text-sm">
      <span title={cause ?? undefined}>
        <Status tone={tone}>
          {words}
          {until !== null && state !== "ended" && (
            <>
              , until <ClockTime at={until} />
            </>
          )}
        </Status>
      </span>
      <span className="text-muted tabular-nums">
        <Quantity value={attempts} /> sent in the last hour
        {attempts > 0 && `, ${formatPercent(errors / attempts, 1)} failed`}
      </span>
      {p50 !== null && p95 !== null && (
        <span className="text-muted tabular-nums">
          first token {describeDuration(p50)}, p95 {describeDuration(p95)}
        </span>
      )}
      {cause !== null && <span className="text-muted wrap-anywhere">{cause}</span>}
    </div>
  );
}
