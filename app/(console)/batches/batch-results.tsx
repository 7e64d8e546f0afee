import { Download } from "lucide-react";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { paths } from "@/lib/console/paths";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { countLines } from "./describe-batch";

/** A batch's files: its input, its results and its errors. */
export function BatchResults({ batch, canRead }: { batch: Batch; canRead: boolean }) {
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
