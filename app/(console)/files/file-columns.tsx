import { Download, Rows4 } from "lucide-react";
import { Fragment } from "react";
import { ConsoleLink } from "@/components/ui/links/console-link";
import type { Column } from "@/components/ui/table/column";
import { IdChip } from "@/components/ui/text/id-chip";
import { ClockTime } from "@/components/ui/time/clock-time";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { StoredFileObject } from "@/lib/contract/operations/tasks/files";
import { DeleteFile } from "./delete-file";
import { purposeWords } from "./file-filter";

type Rights = { mayDelete: (file: StoredFileObject) => boolean; canCreateBatch: boolean };

const iconLink =
  "inline-grid size-6 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11 [&_svg]:size-4";

/** Is wrapped after an underscore rather than in a word or an id. */
function FileName({ name }: { name: string }) {
  return name.split(/(?<=_)/).map((part, index) => (
    // Keyed by position: a file is never renamed.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function CreateBatch({ file }: { file: StoredFileObject }) {
  return (
    <ConsoleLink
      href={paths.batches(file.project_id, { file: file.id })}
      title="Create batch"
      className={iconLink}
    >
      <Rows4 aria-hidden />
      <span className="sr-only">Create a batch of {file.filename}</span>
    </ConsoleLink>
  );
}

export function fileColumns({ mayDelete, canCreateBatch }: Rights): readonly Column<StoredFileObject>[] {
  return [
    {
      id: "name",
      header: "Name",
      apiName: "filename",
      width: "w-96",
      cell: ({ filename, id }) => (
        <span className="grid min-w-0">
          <span className="font-medium wrap-anywhere">
            <FileName name={filename} />
          </span>
          <IdChip id={id} what="file id" />
        </span>
      ),
    },
    {
      id: "purpose",
      header: "Purpose",
      apiName: "purpose",
      width: "w-44",
      cell: ({ purpose }) => purposeWords[purpose],
    },
    {
      id: "bytes",
      header: "Size",
      apiName: "bytes",
      width: "w-28",
      numeric: true,
      cell: ({ bytes }) => formatBytes(bytes),
    },
    {
      id: "created",
      header: "Created",
      apiName: "created_at",
      width: "w-36",
      cell: ({ created_at }) => <ClockTime at={created_at} />,
    },
    {
      id: "expires",
      header: "Expires",
      apiName: "expires_at",
      width: "w-36",
      cell: ({ expires_at }) =>
        expires_at === null ? <span className="text-muted">Never</span> : <RelativeTime at={expires_at} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: "w-32",
      numeric: true,
      phone: "end",
      cell: (file) => (
        <span className="flex items-center justify-end gap-1.5">
          {canCreateBatch && file.purpose === "batch" && <CreateBatch file={file} />}
          <a href={paths.fileContent(file.id)} download title="Download" className={iconLink}>
            <Download aria-hidden />
            <span className="sr-only">Download {file.filename}</span>
          </a>
          {mayDelete(file) && <DeleteFile file={file} />}
        </span>
      ),
    },
  ];
}
