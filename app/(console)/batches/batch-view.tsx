import type { Viewer } from "@/components/object-page/viewer";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Progress } from "@/components/ui/values/progress";
import { paths } from "@/lib/console/paths";
import { holdsInProject } from "@/lib/console/permissions-in";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { BatchErrorSection } from "./batch-error-section";
import { BatchFigures } from "./batch-figures";
import { BatchResults } from "./batch-results";
import { CancelBatch } from "./cancel-batch";
import { countLinesLeft } from "./describe-batch";

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
