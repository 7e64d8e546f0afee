import { Download } from "lucide-react";
import type { Viewer } from "@/components/object-page/viewer";
import { Card } from "@/components/ui/card";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Figure } from "@/components/ui/values/figure";
import { Money } from "@/components/ui/values/money";
import { Progress } from "@/components/ui/values/progress";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { BatchErrorSection } from "./batch-error-section";
import { CancelBatch } from "./cancel-batch";
import { countLines, countLinesLeft, describeBatchWait, describeTimeLeft } from "./describe-batch";

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
