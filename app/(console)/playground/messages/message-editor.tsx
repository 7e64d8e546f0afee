"use client";

import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { isComposing } from "@/components/ui/browser/is-composing";
import { Button } from "@/components/ui/button";
import { confirmLeave, registerUnsaved, type UnsavedInput } from "@/components/ui/dialog/unsaved";

type MessageEditorProps = {
  text: string;
  save: (text: string) => void;
  /** Undefined if no answer can be requested from this message. */
  saveAndAnswer: ((text: string) => void) | undefined;
  cancel: () => void;
};

/** Edits a message in place. Escape cancels. What was typed is discarded only after a question. */
export function MessageEditor({ text: before, save, saveAndAnswer, cancel }: MessageEditorProps) {
  const [text, setText] = useState(before);
  const leave = useConfirmedCancel(text !== before, cancel);
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
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
        <Button size="small" variant="ghost" onClick={leave}>
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

/**
 * Registers an edited text as unsaved.
 * @returns a function that cancels, which asks first.
 */
function useConfirmedCancel(isEdited: boolean, cancel: () => void): () => void {
  const unsaved = useRef<UnsavedInput | null>(null);
  const describe = useEffectEvent(() =>
    isEdited ? { title: "Discard the edited message?", text: "You changed its text without saving." } : null,
  );
  const discard = useEffectEvent(cancel);
  useEffect(() => {
    const input = { dialog: null, describe: () => describe(), discard: () => discard() };
    unsaved.current = input;
    return registerUnsaved(input);
  }, []);
  return () => (unsaved.current ? confirmLeave(cancel, unsaved.current) : cancel());
}

/** Takes over the focus of the button that it replaces. */
function focus(element: HTMLTextAreaElement | null): void {
  element?.focus();
}
