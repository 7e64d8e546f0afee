"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toServerClock } from "@/components/ui/time/server-clock";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { ProblemError } from "@/lib/console/gateway/problem";
import { useIsGatewayDown } from "./gateway-down";

type StaleRead = {
  error: ProblemError | null;
  /** Unix milliseconds. */
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
};

/**
 * Shown above data of an earlier read if the latest one failed: the data's age and the reason. If the gateway is down,
 * all reads of the page fail, and `UnreachableNotice` says it once.
 */
export function StaleNotice({ read }: { read: StaleRead }) {
  const isGatewayDown = useIsGatewayDown(read.error?.problem);
  if (!read.error || isGatewayDown) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="near"
        role="status"
        title={
          <>
            Not refreshed: this is as of{" "}
            <RelativeTime at={Math.floor(toServerClock(read.dataUpdatedAt) / 1000)} />
          </>
        }
        actions={
          <Button size="small" pending={read.isFetching} onClick={() => void read.refetch()}>
            Try again
          </Button>
        }
      >
        {read.error.message}
      </Notice>
    </div>
  );
}
