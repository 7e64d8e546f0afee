"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { paths } from "@/lib/console/paths";
import type { Batch, BatchErrors as Errors } from "@/lib/contract/operations/tasks/batches";
import { countLines } from "./describe-batch";

const POLL_MS = 5_000;

/** A batch's failed lines, grouped by error, each with a link to its call. */
export function BatchErrorSection({ batch }: { batch: Batch }) {
  const parameters = { batch_id: batch.id };
  const errors = useRead("retrieveBatchErrors", parameters);
  // Refetch once more after the batch has ended, for its last lines.
  const isBehind = errors.data !== undefined && errors.data.failed < batch.request_counts.failed;
  useRead("retrieveBatchErrors", parameters, { enabled: isBehind, refetchInterval: POLL_MS });
  return (
    <ReadState read={errors} to="see the errors" skeleton={<Skeleton className="h-24 w-full" />}>
      {({ groups, is_complete: isComplete }) => (
        <div className="grid gap-4">
          {groups.map((group) => (
            <Group key={`${group.status} ${group.code}`} group={group} />
          ))}
          {!isComplete && (
            <p className="text-sm text-muted">
              {groups.length === 0
                ? "The error file is no longer stored."
                : "These are the first of them. The error file has them all."}
            </p>
          )}
        </div>
      )}
    </ReadState>
  );
}

function Group({ group: { status, code, message, count, lines } }: { group: Errors["groups"][number] }) {
  return (
    <section className="grid gap-1 rounded-md border bg-surface px-3 py-2.5">
      <h3 className="flex flex-wrap items-center gap-x-3">
        <Status tone="bad">{status ?? "Not answered"}</Status>
        {code !== null && <code className="font-mono text-sm wrap-anywhere">{code}</code>}
        <span className="text-sm text-muted">{countLines(count)}</span>
      </h3>
      <p className="text-sm wrap-anywhere">{message}</p>
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {lines.map(({ line, custom_id: customId, request_id: requestId }) => (
          <li key={line} className="max-w-full truncate">
            {requestId === null ? (
              <LineName line={line} customId={customId} />
            ) : (
              <TextLink href={paths.request(requestId)}>
                <LineName line={line} customId={customId} />
              </TextLink>
            )}
          </li>
        ))}
        {count > lines.length && <li className="text-muted">and {countLines(count - lines.length)} more</li>}
      </ul>
    </section>
  );
}

function LineName({ line, customId }: { line: number; customId: string }) {
  return (
    <>
      Line {line} <code className="font-mono text-muted">{customId}</code>
    </>
  );
}
