import { Download } from "lucide-react";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { Progress } from "@/components/ui/values/progress";
import { paths } from "@/lib/console/paths";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { Picture } from "./picture";

type OutputFile = Task["output"][number];

/** Shows or plays a task's output where the viewer may read it. While the task runs, shows its progress. */
export function TaskOutput({ task, isReadable }: { task: Task; isReadable: boolean }) {
  if (task.ended_at === null) {
    if (task.progress === null) return <p className="text-muted">Nothing yet.</p>;
    return <Progress label="Made" done={task.progress} total={100} unit="%" />;
  }
  if (task.output.length === 0) return <p className="text-muted">It made no file.</p>;
  if (!isReadable) {
    return (
      <p className="text-muted">
        {task.output.length === 1 ? "It made a file" : `It made ${task.output.length} files`}. Seeing files
        needs a role that calls models in this project, or that reads prompts and answers.
      </p>
    );
  }
  return (
    <ul className="grid gap-4">
      {task.output.map((file, position) => (
        <li key={position} className="grid gap-2">
          {file.url === null ? (
            <p className="text-muted">This file has expired and was deleted.</p>
          ) : (
            <Shown
              file={file}
              source={paths.taskOutput(task.id, position)}
              label={task.output.length === 1 ? "Result" : `Result ${position + 1} of ${task.output.length}`}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

type ShownProps = { file: OutputFile; source: string; label: string };

function Shown({ file, source, label }: ShownProps) {
  return (
    <>
      <Medium file={file} source={source} label={label} />
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <span>
          {file.mime_type}, {formatBytes(file.bytes)}
        </span>
        <a href={source} download className={composeButtonStyle("secondary", "small")}>
          <Download aria-hidden />
          Download<span className="sr-only"> {label.toLowerCase()}</span>
        </a>
      </p>
    </>
  );
}

function Medium({ file, source, label }: ShownProps) {
  if (file.type === "image") return <Picture source={source} label={label} />;
  if (file.type === "music") {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- Generated media has no captions.
    return <audio src={source} aria-label={label} controls preload="metadata" className="w-full" />;
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- Generated media has no captions.
    <video
      src={source}
      aria-label={label}
      controls
      preload="metadata"
      className="max-h-[70vh] w-full rounded-md border bg-default"
    />
  );
}
