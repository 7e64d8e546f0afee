"use client";

import { TaskOutput } from "@/components/tasks/task-output";
import { composeButtonStyle } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { Status } from "@/components/ui/status";
import { CopyButton } from "@/components/ui/text/copy-button";
import type { MediaOutput } from "@/lib/console/streaming/chat-event";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Task } from "@/lib/contract/operations/tasks/task";

/** What a model that isn't a chat model answered. `text` is a transcript's. */
export function MediaAnswer({ output, text }: { output: MediaOutput; text: string }) {
  switch (output.kind) {
    case "task":
      return <TaskResult task={output.task} />;
    case "speech":
      return <Speech {...output} />;
    case "transcript":
      return text === "" ? (
        <p className="text-muted">The recording has no speech.</p>
      ) : (
        <p className="leading-6 break-words whitespace-pre-wrap">{text}</p>
      );
    case "embedding":
      return <Embedding vector={output.vector} />;
    case "moderation":
      return <Moderation {...output} />;
  }
}

type SpeechProps = Extract<MediaOutput, { kind: "speech" }>;

const endings: Readonly<Record<string, string>> = {
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/pcm": "pcm",
};

function Speech({ data, mimeType, bytes }: SpeechProps) {
  const source = `data:${mimeType};base64,${data}`;
  if (data === "") {
    return (
      <p className="text-muted">
        The audio ({formatBytes(bytes)}) was too large to be kept, and is gone since the page was loaded. Its
        receipt stays.
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- The text is the message above it. */}
      <audio src={source} aria-label="Spoken text" controls preload="metadata" className="w-full" />
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
        {mimeType}, {formatBytes(bytes)}
        <a
          href={source}
          download={`speech.${endings[mimeType] ?? mimeType.split("/")[1]}`}
          className={composeButtonStyle("secondary", "small")}
        >
          Download
        </a>
      </p>
    </div>
  );
}

const SHOWN_NUMBERS = 12;

function Embedding({ vector }: { vector: readonly number[] }) {
  const length = Math.hypot(...vector);
  return (
    <div className="grid gap-1.5">
      <p className="text-sm text-muted">
        {vector.length} dimensions, of length {length.toFixed(4)}
      </p>
      <p className="flex items-start justify-between gap-2">
        <code className="min-w-0 font-mono text-sm break-words">
          [{vector.slice(0, SHOWN_NUMBERS).map(String).join(", ")}
          {vector.length > SHOWN_NUMBERS && ", …"}]
        </code>
        <CopyButton text={JSON.stringify(vector)} what="vector" />
      </p>
    </div>
  );
}

type ModerationProps = Extract<MediaOutput, { kind: "moderation" }>;

function Moderation({ flagged, categories }: ModerationProps) {
  const sorted = categories.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return (
    <div className="grid gap-2">
      <Status tone={flagged ? "bad" : "good"}>{flagged ? "Flagged" : "Not flagged"}</Status>
      <table className="w-full text-sm">
        <caption className="sr-only">Categories of harm, the likeliest first</caption>
        <thead className="text-left text-muted">
          <tr className="border-b">
            <th className="py-1.5 font-normal">Category</th>
            <th className="py-1.5 text-right font-normal">Score</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((one) => (
            <tr key={one.name} className="border-b last:border-b-0">
              <td className="py-1.5">
                {one.name} {one.flagged && <span className="text-danger">flagged</span>}
              </td>
              <td className="py-1.5 text-right">{one.score === null ? "–" : one.score.toFixed(4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A task in a conversation: its progress, then its files. */
function TaskResult({ task }: { task: Task }) {
  const { status, cancel_requested, progress, provider_state } = task;
  if (status === "failed" || status === "canceled") return null;
  if (status === "succeeded") return <TaskOutput task={task} isReadable />;
  return (
    <div className="grid gap-2">
      {progress === null && !cancel_requested && (
        <p className="flex items-center gap-2 text-muted">
          <Spinner /> {status === "queued" ? "Waiting to be sent to its provider" : "Being made"}
        </p>
      )}
      {progress !== null && <TaskOutput task={task} isReadable />}
      {cancel_requested && <Status tone="neutral">Its provider is being told to stop</Status>}
      {provider_state === "unknown" && (
        <p className="text-sm text-muted">
          The order was sent and its answer was lost, so nobody knows whether its provider is making it.
        </p>
      )}
      <p className="text-sm text-muted">You can leave this page. The task continues.</p>
    </div>
  );
}
