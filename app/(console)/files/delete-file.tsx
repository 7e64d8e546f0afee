"use client";

import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { deleteFile } from "@/components/tasks/actions";
import { IconButton } from "@/components/ui/icon-button";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";

/** Deletes a file after a confirmation. */
export function DeleteFile({ file: { id, filename, bytes, purpose, version } }: { file: StoredFileObject }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete ${filename}`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the file “${filename}”?`}
      confirmLabel="Delete file"
      action={deleteFile}
      input={{ fileId: id, version }}
      refetch={["listFiles"]}
      done={() => `File “${filename}” deleted`}
    >
      Its {formatBytes(bytes)} are deleted for everybody.{" "}
      {purpose === "batch_output"
        ? "What its lines were charged stays charged."
        : "Batches created from it keep their results."}{" "}
      This can’t be undone.
    </ConfirmedAction>
  );
}
