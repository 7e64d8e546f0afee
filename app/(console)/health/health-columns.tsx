import type { Column } from "@/components/table/column";
import { percentOf } from "@/components/ui/percent";
import { Quantity } from "@/components/ui/quantity";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { ModelHealth, ProviderHealth } from "@/lib/contract/operations/health";
import { describeDuration } from "../playground/panes/describe-latency";
import { TestConnection } from "./test-connection";

/** From this share of failed calls on, the state is bad. Below it, it is a warning. */
const BAD_SHARE = 0.05;

export const modelColumns: readonly Column<ModelHealth>[] = [
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
    cell: (model) => <Errors {...model} />,
  },
  timeColumn("first_byte_p50_ms", "First token", "median"),
  timeColumn("first_byte_p95_ms", "First token", "p95"),
  {
    id: "speed",
    header: "Speed",
    unit: "tokens / s",
    apiName: "tokens_per_second",
    numeric: true,
    sortValue: ({ tokens_per_second }) => tokens_per_second ?? -1,
    cell: ({ tokens_per_second }) => <Quantity value={tokens_per_second} none="not known" />,
  },
];

function timeColumn(
  name: "first_byte_p50_ms" | "first_byte_p95_ms",
  header: string,
  unit: string,
): Column<ModelHealth> {
  return {
    id: name,
    header,
    unit,
    apiName: name,
    numeric: true,
    wide: name === "first_byte_p95_ms",
    sortValue: (model) => model[name] ?? -1,
    cell: (model) => {
      const ms = model[name];
      return ms === null ? <span className="text-muted">not known</span> : describeDuration(ms);
    },
  };
}

function Errors({ id, calls, errors }: ModelHealth) {
  if (calls === 0) return <span className="text-muted">no calls</span>;
  if (errors === 0) return <Status tone="good">none</Status>;
  const share = errors / calls;
  return (
    <TextLink href={paths.requests({ model: id, outcome: "provider_failed", range: "24h" })}>
      <Status tone={share >= BAD_SHARE ? "bad" : "near"}>
        {errors} · {percentOf(share, 1)}
      </Status>
    </TextLink>
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
        <>
          <Quantity value={calls_under_way} />
          {most !== null && (
            <span className="text-muted">
              {" "}
              of <Quantity value={most} />
            </span>
          )}
        </>
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
