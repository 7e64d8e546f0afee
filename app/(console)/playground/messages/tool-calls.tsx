"use client";

import { useId, useState } from "react";
import { listOpenToolCalls, type ToolCall } from "@/components/playground/messages/message";
import { withToolReply } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/text/code-block";
import { parseJson } from "@/lib/contract/json-value";

type ToolCallsProps = {
  calls: readonly ToolCall[];
  openCalls: readonly ToolCall[];
  paneId: string;
  store: WorkbenchStore;
};

/** The tool calls of an answer with their arguments, and a field for each reply. */
export function ToolCalls({ calls, openCalls, paneId, store }: ToolCallsProps) {
  return (
    <ul className="grid gap-3" aria-label="Tool calls">
      {calls.map((call) => (
        <li key={call.id} className="grid gap-2 rounded-md border p-3">
          <p className="text-sm">
            Calls <code className="font-mono font-medium">{call.name}</code>
          </p>
          <CodeBlock code={tidy(call.arguments)} what="arguments" />
          {openCalls.includes(call) && <Reply {...{ call, paneId, store }} />}
        </li>
      ))}
    </ul>
  );
}

function Reply({ call, paneId, store }: { call: ToolCall; paneId: string; store: WorkbenchStore }) {
  const id = useId();
  const [text, setText] = useState("");
  function answer() {
    store.changePane(paneId, (one) => withToolReply(one, call.id, text));
    const now = store.findPane(paneId);
    if (now && listOpenToolCalls(now.messages).length === 0) void store.answer(paneId);
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        What {call.name} answers
      </label>
      <textarea
        id={id}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="field field-sizing-content min-h-12 py-1.5 font-mono text-sm"
      />
      <Button size="small" className="justify-self-start" onClick={answer}>
        Answer the call
      </Button>
    </div>
  );
}

/** Indents valid JSON. Returns other text unchanged, such as incomplete JSON. */
function tidy(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
