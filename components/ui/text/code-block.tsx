import { CopyButton } from "./copy-button";
import { TextPieces } from "./text-pieces";

/** Code with a copy button. Long lines scroll; with `wrap` they break, as for a key. */
export function CodeBlock({
  code,
  what = "code",
  wrap = false,
  copied = code,
}: {
  code: string;
  what?: string;
  wrap?: boolean;
  /** The text to copy, if it differs from the code shown. */
  copied?: string;
}) {
  return (
    <div className="flex items-start rounded-md border bg-background">
      <pre
        // A scrolling box must be reachable by keyboard.
        tabIndex={wrap ? undefined : 0}
        className={`min-w-0 flex-1 overflow-x-auto rounded-md px-3 py-2.5 font-mono text-sm ${wrap ? "break-all whitespace-pre-wrap" : ""}`}
      >
        <code>
          <TextPieces text={code} />
        </code>
      </pre>
      <CopyButton text={copied} what={what} className="p-1.5" />
    </div>
  );
}
