import { Download } from "lucide-react";
import { useState } from "react";
import { Button, composeButtonStyle } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { formatCount } from "@/components/ui/values/group-digits";
import { Progress } from "@/components/ui/values/progress";
import { paths } from "@/lib/console/paths";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Task } from "@/lib/contract/operations/tasks/task";

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

/** Drawing more pixels than this takes gigabytes of memory, and can freeze or end the page. */
const MAX_PIXELS = 50_000_000;

type Size = { width: number; height: number };

/** A picture, drawn only once its size is known: what is invisible isn't decoded. A giant one is drawn on demand. */
function Picture({ source, label }: { source: string; label: string }) {
  const [size, setSize] = useState<Size | null>(null);
  const [isForced, setIsForced] = useState(false);
  const measure = (image: HTMLImageElement | null) => {
    if (size || !image?.complete || image.naturalWidth === 0) return;
    setSize({ width: image.naturalWidth, height: image.naturalHeight });
  };
  if (size && !isForced && size.width * size.height > MAX_PIXELS) {
    return (
      <div className="grid justify-items-start gap-2 rounded-md border p-3 text-muted">
        <p>
          This picture has {formatCount(size.width)} × {formatCount(size.height)} pixels. Showing it takes
          much memory and can freeze the page.
        </p>
        <Button size="small" onClick={() => setIsForced(true)}>
          Show it anyway
        </Button>
      </div>
    );
  }
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- Fetching it needs the session, and it must not be cached.
    <img
      ref={measure}
      src={source}
      alt={label}
      decoding="async"
      onLoad={(event) => measure(event.currentTarget)}
      // Shows the alternative text and the mark of a broken picture.
      onError={() => setSize({ width: 0, height: 0 })}
      className={classNames("max-h-[70vh] max-w-full rounded-md border", !size && "invisible")}
    />
  );
}
