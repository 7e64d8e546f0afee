import { CodeBlock } from "@/components/ui/text/code-block";
import type { OutputItem } from "@/lib/console/streaming/chat-event";

/** What tools did that the provider ran, or whose calls have a form of their own, each as a card. */
export function ToolItems({ items }: { items: readonly OutputItem[] }) {
  return (
    <ul className="grid gap-3" aria-label="Other tools">
      {items.map((item, index) => {
        const { verb, name, code } = describeItem(item);
        return (
          <li key={String(item.id ?? index)} className="grid gap-2 rounded-md border p-3">
            <p className="text-sm">
              {verb} <code className="font-mono font-medium">{name}</code>
              {typeof item.status === "string" && item.status !== "completed" && (
                <span className="text-muted"> · {item.status.replaceAll("_", " ")}</span>
              )}
            </p>
            {code !== null && <CodeBlock code={code} what={`input of ${name}`} />}
          </li>
        );
      })}
    </ul>
  );
}

/** A custom tool's text is shown as it is, and of any other item what it says beside its ids. */
export function describeItem(item: OutputItem): { verb: string; name: string; code: string | null } {
  const { id: _, type, status: __, call_id: ___, name, input, ...told } = item;
  if (type === "custom_tool_call")
    return { verb: "Calls", name: String(name ?? type), code: typeof input === "string" ? input : null };
  const shown = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null));
  const kind = String(type ?? "item").replace(/_call$/, "");
  return {
    verb: String(type).endsWith("_call") ? "Used" : "Gave",
    name: typeof name === "string" ? `${kind} ${name}` : kind,
    code: Object.keys(shown).length > 0 ? JSON.stringify(shown, null, 2) : null,
  };
}
