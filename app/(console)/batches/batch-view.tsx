import { Download } from "lucide-react";
import type { Viewer } from "@/components/object-page/object-page";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button, composeButtonStyle } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { Progress } from "@/components/ui/values/progress";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Batch, BatchErrors as Errors } from "@/lib/contract/operations/tasks/batches";
import { cancelBatch } from "./actions";
import { countLines, countLinesLeft, describeBatchWait, describeTimeLeft } from "./batch-status";

/** Everything known about a batch: its progress, cost, results and errors. */
export function BatchView({ batch, viewer }: { batch: Batch; viewer: Viewer }) {
  const may = (permission: Permission) => holdsInProject(viewer.held, batch.project_id, permission);
  const { total } = batch.request_counts;
  return (
    <div className="grid gap-6">
      <div className="grid gap-3">
        <Progress label="Lines finished" done={total - countLinesLeft(batch)} total={total} />
        {batch.status === "in_progress" && may("api.batches.write") && <CancelBatch batch={batch} />}
      </div>
      <BatchFigures batch={batch} />
      <div className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <Part title="Results">
            <BatchResults batch={batch} canRead={may("api.files.read")} />
          </Part>
          {batch.request_counts.failed + Number(batch.status === "expired") > 0 && (
            <Part title="Errors">
              <BatchErrorSection batch={batch} />
            </Part>
          )}
        </div>
        <Part title="Batch">
          <BatchFacts batch={batch} projects={viewer.projects} />
        </Part>
      </div>
    </div>
  );
}

/** Returns the link to the calls of the batch's lines. */
function buildCallsLink({ id, created_at }: Batch): string {
  return paths.requests({ batch_id: id, from: String(created_at) });
}

function BatchFacts({ batch, projects }: { batch: Batch; projects: Viewer["projects"] }) {
  const project = projects.find(({ id }) => id === batch.project_id);
  return (
    <Facts>
      <Fact name="Batch">
        <IdChip id={batch.id} what="batch id" />
      </Fact>
      <Fact name="Calls">
        <TextLink href={buildCallsLink(batch)}>View calls</TextLink>
      </Fact>
      <Fact name="Model">
        <code className="font-mono text-sm wrap-anywhere">{batch.model}</code>
      </Fact>
      <Fact name="Endpoint">
        <code className="font-mono text-sm wrap-anywhere">{batch.endpoint}</code>
      </Fact>
      <Fact name="Project">{project?.name ?? <IdChip id={batch.project_id} what="project id" />}</Fact>
      <Fact name="Paid by">
        <IdChip id={batch.key_id} what="id of the payer" />
      </Fact>
      <Fact name="Created">
        <RelativeTime at={batch.created_at} withExact />
      </Fact>
      {batch.finalizing_at === null ? (
        <Fact name="Ends by">
          <RelativeTime at={batch.expires_at} withExact />
        </Fact>
      ) : (
        <Fact name="Ended">
          <RelativeTime at={batch.finalizing_at} withExact />
        </Fact>
      )}
      {Object.entries(batch.metadata ?? {}).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

/** A batch's progress, usage, cost and speed. */
function BatchFigures({ batch }: { batch: Batch }) {
  const { request_counts, usage, amount, currency, finalizing_at: endedAt } = batch;
  return (
    <Card className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
      <Figure label="Answered">
        <Quantity value={request_counts.completed} />
      </Figure>
      <Figure label="Failed">
        <span className={request_counts.failed > 0 ? "text-danger" : undefined}>
          <Quantity value={request_counts.failed} />
        </span>
      </Figure>
      <Figure label="Input tokens" note={<OutputNote tokens={usage.output_tokens} />}>
        <Quantity value={usage.input_tokens} />
      </Figure>
      <Figure label={endedAt === null ? "Charged so far" : "Charged"}>
        {amount === null ? (
          <span className="text-base font-normal text-muted">Not recorded</span>
        ) : (
          <Money amount={amount} currency={currency} />
        )}
      </Figure>
      {endedAt === null && <Pace batch={batch} />}
    </Card>
  );
}

function OutputNote({ tokens }: { tokens: number }) {
  return (
    <>
      and <Quantity value={tokens} /> output
    </>
  );
}

function Pace({ batch }: { batch: Batch }) {
  const { pace } = batch;
  const waits = pace?.waits_for ? `Waits for ${describeBatchWait(pace.waits_for)}` : "Waits for nothing";
  const notes = [pace ? waits : "Waits to begin", describeTimeLeft(batch)].filter((note) => note !== null);
  return (
    <Figure label="Pace" note={`${notes.join(". ")}.`}>
      <Quantity value={pace?.lines_per_minute ?? 0} />{" "}
      <span className="text-base font-normal text-muted">lines/min</span>
    </Figure>
  );
}

/** A batch's files: its input, its results and its errors. */
function BatchResults({ batch, canRead }: { batch: Batch; canRead: boolean }) {
  const {
    status,
    input_file_id,
    output_file_id,
    error_file_id,
    request_counts,
    finalizing_at: endedAt,
  } = batch;
  if (!canRead)
    return (
      <p className="text-muted">
        You need the permission <code className="font-mono text-sm">api.files.read</code> to download files.
      </p>
    );
  return (
    <div className="grid gap-3">
      {endedAt === null && (
        <p className="text-muted">The results can be downloaded once the batch has ended.</p>
      )}
      {endedAt !== null && output_file_id === null && error_file_id === null && (
        <p className="text-muted">No line was answered, so there is no result.</p>
      )}
      <div className="flex flex-wrap gap-2">
        {output_file_id !== null && (
          <FileLink id={output_file_id}>Results, {countLines(request_counts.completed)}</FileLink>
        )}
        {error_file_id !== null && (
          <FileLink id={error_file_id}>
            Errors
            {request_counts.failed > 0 && status !== "expired" && `, ${countLines(request_counts.failed)}`}
          </FileLink>
        )}
        <FileLink id={input_file_id}>Input</FileLink>
      </div>
    </div>
  );
}

function FileLink({ id, children }: { id: string; children: React.ReactNode }) {
  return (
    <a href={paths.fileContent(id)} download className={composeButtonStyle("secondary", "medium")}>
      <Download aria-hidden />
      <span className="sr-only">Download </span>
      {children}
    </a>
  );
}

/** Cancels a batch after a confirmation that describes the effect. */
function CancelBatch({ batch }: { batch: Batch }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button className="w-fit" onClick={ask}>
          Cancel batch
        </Button>
      )}
      title="Cancel this batch?"
      confirmLabel="Cancel batch"
      cancelLabel="Keep batch"
      action={cancelBatch}
      input={{ batchId: batch.id }}
      refetch={["listBatches", "retrieveBatch"]}
      done={({ status }) => (status === "cancelled" ? "Batch canceled" : "The batch is being canceled")}
    >
      Of {countLines(batch.request_counts.total)}, {countLines(countLinesLeft(batch))} have no answer yet.
      Those that have begun are finished and charged; the others never begin and cost nothing. Answered lines
      stay in the results
      {batch.amount === null ? (
        "."
      ) : (
        <>
          , and the <Money amount={batch.amount} currency={batch.currency} /> charged so far stay charged.
        </>
      )}{" "}
      A canceled batch can’t be resumed.
    </ConfirmedAction>
  );
}

const POLL_MS = 5_000;

/** A batch's failed lines, grouped by error, each with a link to its call. */
function BatchErrorSection({ batch }: { batch: Batch }) {
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
