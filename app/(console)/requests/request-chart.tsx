"use client";

import { useRead, useReadPages } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { lazyChart } from "@/components/ui/chart/lazy-chart";
import { changeAddress } from "@/components/ui/filters/change-address";
import { Skeleton } from "@/components/ui/states/skeleton";
import { useRequestFilter } from "./use-request-filter";

const POLL_MS = 15_000;

const skeleton = <Skeleton className="h-40 w-full rounded-md" />;

const Histogram = lazyChart(() => import("./histogram").then((file) => file.Histogram), skeleton);

/** The listed calls over time. Selecting a range filters the list. */
export function RequestChart({ openedAt }: { openedAt: number }) {
  const { parameters, range } = useRequestFilter(openedAt);
  const asked = { ...parameters, limit: undefined };
  const options = range.end === null ? { refetchInterval: POLL_MS } : {};
  const histogram = useRead("retrieveRequestHistogram", asked, options);
  const listed = useReadPages("listRequests", parameters);
  // If neither can be read, the list says why.
  if (histogram.error && !histogram.data && listed.error) return null;
  return (
    <ReadState read={histogram} to="show the calls over time" skeleton={skeleton}>
      {(data) =>
        data.is_counted === false ? (
          <p className="rounded-md border bg-surface px-3 py-2 text-sm text-muted">
            There are too many calls to count with this filter. Choose a shorter period to see the chart.
          </p>
        ) : (
          <Histogram histogram={data} zoom={zoom} />
        )
      }
    </ReadState>
  );
}

function zoom(from: number, to: number): void {
  changeAddress({ from: String(from), to: String(to), range: undefined }, { isStep: true });
}
