"use client";

import type { CallState } from "@/components/playground/messages/message";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Tabs } from "@/components/ui/tabs";
import { CodeBlock } from "@/components/ui/text/code-block";
import { formatCount } from "@/components/ui/values/group-digits";

/** Shows the exact request and reply of a call. The key never reaches the browser. */
export function RawDialog({ call, close }: { call: CallState; close: () => void }) {
  const { request, reply } = call;
  const head = reply?.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const tabs = [
    {
      id: "request",
      label: "Request",
      content: request ? (
        <CodeBlock code={JSON.stringify(shortened(request), null, 2)} what="request" />
      ) : (
        <p className="text-muted">The request is not stored.</p>
      ),
    },
    {
      id: "reply",
      label: "Reply",
      content: reply ? (
        <div className="grid gap-3">
          <CodeBlock code={`HTTP ${reply.status}\n${head}`} what="headers" />
          <CodeBlock code={reply.body} what="reply" />
          {reply.isCut && <p className="text-sm text-muted">The first 200,000 characters are shown.</p>}
        </div>
      ) : (
        <p className="text-muted">There is none to show: it was stopped, or the page was loaded since.</p>
      ),
    },
  ];
  return (
    <Dialog open onClose={close} title="Request and reply" position="wide">
      <Tabs label="Request or reply" tabs={tabs} />
    </Dialog>
  );
}

const MAX_TEXT_LENGTH = 2_000;

/** Shortens file contents, which nobody reads. */
function shortened(value: unknown): unknown {
  if (typeof value === "string" && value.length > MAX_TEXT_LENGTH && /^(data:|[\w+/=]+$)/.test(value)) {
    return `${value.slice(0, 60)}… (${formatCount(value.length)} characters)`;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
