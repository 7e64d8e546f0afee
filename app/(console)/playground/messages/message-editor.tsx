"use client";

import { type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button";

type MessageEditorProps = {
  text: string;
  save: (text: string) => void;
  /** Undefined if no answer can be requested from this message. */
  saveAndAnswer: ((text: string) => void) | undefined;
  cancel: () => void;
};

/** Edits a message in place. Escape cancels. */
export function MessageEditor({ text: before, save, saveAndAnswer, cancel }: MessageEditorProps) {
  const [text, setText] = useState(before);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      (saveAndAnswer ?? save)(text);
    }
  }
  return (
    <div className="grid w-full gap-2">
      <textarea
        aria-label="Text of the message"
        value={text}
        ref={focus}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="field field-sizing-content max-h-80 min-h-16 py-2"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" variant="ghost" onClick={cancel}>
          Cancel
        </Button>
        <Button size="small" onClick={() => save(text)}>
          Save
        </Button>
        {saveAndAnswer && (
          <Button size="small" variant="primary" onClick={() => saveAndAnswer(text)}>
            Save and answer again
          </Button>
        )}
      </div>
    </div>
  );
}

/** Takes over the focus of the button that it replaces. */
function focus(element: HTMLTextAreaElement | null): void {
  element?.focus();
}
