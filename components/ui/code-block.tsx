import { CopyButton } from "./copy-button";

/** Code as text, with a copy button. Long lines scroll inside of it; `wrap` breaks them, as for a key. */
export function CodeBlock({
  code,
  what = "code",
  wrap = false,
}: {
  code: string;
  what?: string;
  wrap?: boolean;
}) {
  return (
    <div className="relative rounded-md border bg-background">
      <pre
        // A box that scrolls must be reachable with the keyboard.
        tabIndex={wrap ? undefined : 0}
        className={`overflow-x-auto py-2.5 pr-12 pl-3 font-mono text-sm ${wrap ? "break-all whitespace-pre-wrap" : ""}`}
      >
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} className="absolute top-1.5 right-1.5 rounded-md bg-background" />
    </div>
  );
}
