import { PlugZap } from "lucide-react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/links/text-link";
import { Status, type Tone } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { formatPercent } from "@/components/ui/values/percent";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import type { ProviderTest } from "@/lib/contract/operations/models/provider-tests";
import type { ModelHealth, ProviderHealth } from "@/lib/contract/operations/usage/health";
import { testProvider } from "./actions";

/** From this share of failed calls on, the state is bad. Below it, it is a warning. */
const BAD_SHARE = 0.05;

/** Returns the columns, with a link to the playground for models without calls if the person may use it. */
export const modelHealthColumns = (canTry: boolean): readonly Column<ModelHealth>[] => [
  {
    id: "model",
    header: "Model",
    sortValue: ({ id }) => id,
    cell: ({ id }) => <span className="font-mono text-sm break-all">{id}</span>,
  },
  {
    id: "providers",
    header: "Providers",
    apiName: "providers",
    width: "w-48",
    cell: ({ providers }) => (
      <span className="font-mono text-sm break-all text-muted">{providers.join(", ")}</span>
    ),
  },
  {
    id: "calls",
    header: "Calls",
    apiName: "calls",
    numeric: true,
    width: "w-28",
    sortValue: ({ calls }) => calls,
    cell: ({ calls }) => <Quantity value={calls} />,
  },
  {
    id: "errors",
    header: "Failed",
    apiName: "errors",
    numeric: true,
    width: "w-44",
    sortValue: ({ calls, errors }) => (calls === 0 ? -1 : errors / calls),
    cell: (model) => (model.calls === 0 ? <NoCall id={model.id} canTry={canTry} /> : <Errors {...model} />),
  },
  timeColumn("first_byte_p50_ms", "median"),
  timeColumn("first_byte_p95_ms", "p95"),
  {
    id: "speed",
    header: "Speed",
    unit: "tokens / s",
    apiName: "tokens_per_second",
    numeric: true,
    sortValue: ({ tokens_per_second }) => tokens_per_second ?? -1,
    cell: ({ tokens_per_second: speed }) => speed !== null && <Quantity value={speed} />,
  },
];

/** A model without an answered call has no times, which its median says once. */
function timeColumn(name: "first_byte_p50_ms" | "first_byte_p95_ms", unit: string): Column<ModelHealth> {
  return {
    id: name,
    header: "First token",
    unit,
    apiName: name,
    numeric: true,
    wide: name === "first_byte_p95_ms",
    sortValue: (model) => model[name] ?? -1,
    cell: (model) => {
      const ms = model[name];
      if (ms !== null) return describeDuration(ms);
      return name === "first_byte_p50_ms" && model.calls > 0 ? (
        <span className="text-muted">none answered</span>
      ) : null;
    },
  };
}

function Errors({ id, calls, errors }: ModelHealth) {
  if (errors === 0) return <Status tone="good">none</Status>;
  const share = errors / calls;
  return (
    <TextLink href={paths.requests({ model: id, outcome: "provider_failed", range: "24h" })}>
      <Status tone={share >= BAD_SHARE ? "bad" : "near"}>
        {errors} · {formatPercent(share, 1)}
      </Status>
    </TextLink>
  );
}

/** Says once that nothing is known of a model, and how to change that. */
function NoCall({ id, canTry }: { id: string; canTry: boolean }) {
  if (!canTry) return <span className="text-muted">no calls yet</span>;
  return (
    <span className="whitespace-nowrap text-muted">
      no calls yet ·{" "}
      <TextLink href={paths.playground(undefined, { model: id })}>
        Try it<span className="sr-only"> in the playground: {id}</span>
      </TextLink>
    </span>
  );
}

/** Returns the columns, with a test button if the person may test. */
export function providerColumns(canTest: boolean): readonly Column<ProviderHealth>[] {
  return [
    {
      id: "provider",
      header: "Provider",
      width: "w-48",
      sortValue: ({ id }) => id,
      cell: ({ id }) => <span className="font-mono text-sm font-medium break-all">{id}</span>,
    },
    {
      id: "under_way",
      header: "Calls in progress",
      apiName: "calls_under_way",
      numeric: true,
      width: "w-36",
      sortValue: ({ calls_under_way }) => calls_under_way,
      cell: ({ calls_under_way, max_calls_under_way: most }) => (
        <span>
          <Quantity value={calls_under_way} />
          {most !== null && (
            <span className="text-muted">
              {" "}
              of <Quantity value={most} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: "failure",
      header: "Last failure",
      apiName: "last_failure",
      sortValue: ({ last_failure }) => last_failure?.at ?? 0,
      cell: ({ last_failure: failure }) =>
        failure === null ? (
          <span className="text-muted">none</span>
        ) : (
          <span className="wrap-anywhere">
            {failure.cause}{" "}
            <span className="text-muted">
              <RelativeTime at={failure.at} />
            </span>
          </span>
        ),
    },
    ...(canTest
      ? [
          {
            id: "test",
            header: "Connection",
            width: "w-72",
            cell: ({ id }: ProviderHealth) => <TestConnection providerId={id} />,
          },
        ]
      : []),
  ];
}

const outcomes: Record<ProviderTest["outcome"], { tone: Tone; label: string }> = {
  reached: { tone: "good", label: "Reached" },
  refused: { tone: "bad", label: "Refuses the key" },
  unreachable: { tone: "bad", label: "Not reached" },
};

/** Tests whether a provider responds, free of charge. Shows the result next to the button. */
function TestConnection({ providerId }: { providerId: string }) {
  const test = useAction(testProvider);
  return (
    <div className="grid justify-items-start">
      <Button
        size="small"
        pending={test.isPending}
        aria-label={`Test connection to ${providerId}`}
        onClick={() => test.mutate({ providerId })}
      >
        <PlugZap aria-hidden />
        Test connection
      </Button>
      <div role="status" className="text-sm not-empty:my-1">
        {test.data && <Found test={test.data} />}
        {test.error && <span className="text-danger">{test.error.problem.message}</span>}
      </div>
    </div>
  );
}

function Found({ test: { outcome, message, took_ms: took } }: { test: ProviderTest }) {
  const { tone, label } = outcomes[outcome];
  return (
    <>
      <Status tone={tone}>
        {label} in {describeDuration(took)}
      </Status>
      <span className="block text-muted">{message}</span>
    </>
  );
}
