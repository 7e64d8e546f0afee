"use client";

import { useRouter } from "next/navigation";
import { useCreate } from "@/components/queries/actions/use-create";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/dialog/cancel-button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { Progress } from "@/components/ui/values/progress";
import { paths } from "@/lib/console/paths";
import { createBatch } from "../actions";
import { countLines } from "../describe-batch";
import { BatchEstimate } from "./batch-estimate";
import { DropFile } from "./drop-file";
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
