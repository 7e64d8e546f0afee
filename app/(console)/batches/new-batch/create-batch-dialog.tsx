"use client";

import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { countLines } from "@/app/(console)/batches/batch-status";
import { useCreate } from "@/components/queries/actions/use-create";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { CancelButton } from "@/components/ui/dialog/cancel-button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { Progress } from "@/components/ui/values/progress";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { formatBytes } from "@/lib/contract/format-bytes";
import { type BatchPreview, MAX_BATCH_LINES } from "@/lib/contract/operations/tasks/batches";
import { MAX_FILE_BYTES } from "@/lib/contract/operations/tasks/files";
import { createBatch } from "../actions";
import { type CheckedFile, useCheckedFile } from "./use-checked-file";

type CreateBatchDialogProps = { projectId: string; fileId: string | null; close: () => void };

/** Creates a batch from a dropped file, or from the stored file `fileId`, once its lines have been checked. */
export function CreateBatchDialog({ projectId, fileId, close }: CreateBatchDialogProps) {
  const router = useRouter();
  const { file, uploadAndCheck, keep } = useCheckedFile(projectId, fileId);
  const create = useCreate(createBatch, {
    refetch: ["listBatches", "listFiles"],
    onSuccess: ({ id, request_counts }) => {
      keep();
      toast({ message: `Batch of ${countLines(request_counts.total)} created` });
      router.push(paths.batch(id));
    },
  });
  const isCreating = create.isPending || create.isSuccess;
  const preview = file.step === "checked" ? file.preview : null;
  return (
    <Dialog
      open
      onClose={close}
      isBusy={isCreating}
      title="Create batch"
      description="Its lines are answered within 24 hours, behind live calls, and charged one by one."
      footer={
        <>
          <CancelButton />
          <Button
            variant="primary"
            disabled={preview === null || preview.refusal !== null}
            pending={isCreating}
            onClick={() => {
              if (preview === null) return;
              const { input_file_id, endpoint } = preview;
              create.mutate({ projectId, fileId: input_file_id, endpoint });
            }}
          >
            Create batch
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {create.error && (
          <Notice tone="bad" title="The batch was not created" role="alert">
            {create.error.problem.message}
          </Notice>
        )}
        <State file={file} />
        {file.step !== "uploading" && file.step !== "checking" && (
          <DropFile
            onFile={(chosen) => {
              create.reset();
              void uploadAndCheck(chosen);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

function State({ file }: { file: CheckedFile }) {
  if (file.step === "none") return null;
  if (file.step === "uploading") {
    return (
      <Progress label={`Uploading ${file.name}`} done={Math.round(file.share * 100)} total={100} unit="%" />
    );
  }
  if (file.step === "checking") {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        Checking each line of {file.name}
      </p>
    );
  }
  if (file.step === "refused") {
    return (
      <Notice tone="bad" title={`No batch can be made of ${file.name}`} role="alert">
        {file.problem.message}
      </Notice>
    );
  }
  return <BatchEstimate name={file.name} preview={file.preview} />;
}

/** The estimated cost of a batch of a checked file, and its share of the day's batch input tokens. */
function BatchEstimate({ name, preview }: { name: string; preview: BatchPreview }) {
  const { model, lines, input_tokens, currency, expected_charge, most_charge, limit, refusal } = preview;
  return (
    <section aria-label="Estimate" className="grid gap-4">
      {refusal === null ? (
        <Notice tone="good" title={`Every line of ${name} can be called`} />
      ) : (
        <Notice tone="bad" title="It can’t be created now" role="alert">
          {refusal.message}
        </Notice>
      )}
      <Facts>
        <Fact name="Model">
          <code className="font-mono text-sm wrap-anywhere">{model}</code>
        </Fact>
        <Fact name="Lines">
          <Quantity value={lines} />
        </Fact>
        <Fact name="Input tokens">
          ≈ <Quantity value={input_tokens} />
        </Fact>
        <Fact name="Cost">
          <Money amount={expected_charge} currency={currency} isApproximate />{" "}
          <span className="text-muted">
            with answers of the usual length, at most <Money amount={most_charge} currency={currency} />
          </span>
        </Fact>
      </Facts>
      {limit === null ? (
        <p className="text-sm text-muted">
          This project and model have no limit on batch input tokens per day.
        </p>
      ) : (
        <Progress
          label="Batch input tokens of the day, with this batch"
          done={limit.used + input_tokens}
          total={limit.max}
        />
      )}
    </section>
  );
}

/** A drop zone for a JSONL file, with a button to choose one. */
function DropFile({ onFile }: { onFile: (file: File) => void }) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const takeFirst = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        takeFirst(event.dataTransfer.files);
      }}
      className={classNames(
        "grid cursor-pointer justify-items-center gap-2 rounded-md border border-dashed border-field-border px-4 py-8 text-center",
        "focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-default",
        isOver && "bg-default",
      )}
    >
      <FileUp aria-hidden className="size-6 text-muted" />
      <span className="font-medium">Drop a JSONL file here, or choose one</span>
      <span id={`${id}-help`} className="text-sm text-muted">
        One call a line, at most {formatCount(MAX_BATCH_LINES)} lines and {formatBytes(MAX_FILE_BYTES)}, all
        for one model.
      </span>
      <input
        id={id}
        type="file"
        accept=".jsonl,.ndjson,application/jsonl,application/x-ndjson"
        aria-describedby={`${id}-help`}
        className="sr-only"
        onChange={(event) => {
          takeFirst(event.currentTarget.files);
          // Lets the person choose the same file again after correcting it.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}
