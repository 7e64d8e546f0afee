"use client";

import { useQuery } from "@tanstack/react-query";
import { asPagePerson } from "@/components/queries/reads/fetch-read";
import { SessionQueryCache } from "@/components/queries/reads/session-query-cache";
import { buildReadUrl } from "@/lib/console/reads/reads";

const RUNNING_POLL_MS = 5_000;
const IDLE_POLL_MS = 15_000;
/** More are shown as "99+". */
const MAX_TASKS_COUNTED = 100;

type RunningTasksProps = {
  /** True for the tasks that the person made. */
  isOwn: boolean;
};

/**
 * The number of running tasks of every project, which is read after the page and then repeatedly. Shows nothing if
 * there are none, or if they can't be read. Its reads are its own, so that a failed one neither concerns the page nor
 * leads to the sign-in screen.
 */
export function RunningTasks(props: RunningTasksProps) {
  return (
    <SessionQueryCache>
      <Count {...props} />
    </SessionQueryCache>
  );
}

function Count({ isOwn }: RunningTasksProps) {
  const url = buildReadUrl(isOwn ? "listOwnTasks" : "listTasks", {
    status: "running",
    limit: String(MAX_TASKS_COUNTED),
  });
  const { data: count = 0 } = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => countRows(url, signal),
    refetchInterval: ({ state }) => (state.data ? RUNNING_POLL_MS : IDLE_POLL_MS),
    refetchOnWindowFocus: "always",
    retry: false,
  });
  if (count === 0) return null;
  return (
    <span className="ml-auto text-sm text-accent-text">
      {count < MAX_TASKS_COUNTED ? count : `${MAX_TASKS_COUNTED - 1}+`}
      <span className="sr-only"> running</span>
    </span>
  );
}

/** Returns 0 if the list can't be read. */
async function countRows(url: string, signal: AbortSignal): Promise<number> {
  const headers = { accept: "application/json" };
  const reply = await asPagePerson(() => fetch(url, { signal, headers }));
  const { data } = (await reply.json()) as { data?: { data: readonly unknown[] } };
  return data?.data.length ?? 0;
}
