import { CopyButton } from "./copy-button";

/** An id in mono with a copy button. Long ids are truncated on screen but copied whole. */
export function IdChip({ id, what = "id" }: { id: string; what?: string }) {
  return (
    <span className="relative z-1 inline-flex max-w-full items-center gap-0.5 align-middle">
      <code className="truncate font-mono text-sm text-muted" title={id}>
        {id}
      </code>
      <CopyButton text={id} what={what} />
    </span>
  );
}
