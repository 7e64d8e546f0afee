"use client";

import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

type ComposerProps = {
  input: RefObject<HTMLTextAreaElement | null>;
  text: string;
  setText: (text: string) => void;
  send: () => void;
  stop: () => void;
  isRunning: boolean;
  /** Set while the last prompt is written anew. */
  cancelEdit: (() => void) | undefined;
};

/** Where the prompt is written. Enter sends, Shift+Enter begins a new line, Escape stops the answer. */
export function Composer({ input, text, setText, send, stop, isRunning, cancelEdit }: ComposerProps) {
  useEffect(() => {
    if (!isRunning) return;
    const stopOnEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog:modal")) return;
      stop();
    };
    window.addEventListener("keydown", stopOnEscape);
    return () => window.removeEventListener("keydown", stopOnEscape);
  }, [isRunning, stop]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && cancelEdit && !isRunning) cancelEdit();
    // Enter that chooses a word of an input method is none.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isRunning) send();
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    send();
  }

  return (
    <form
      onSubmit={onSubmit}
      className="rounded-md border border-field-border bg-field focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent"
    >
      {cancelEdit && (
        <p className="flex items-center justify-between gap-2 border-b px-3 py-1 text-sm text-muted">
          Sending replaces your last message and its answer.
          <Button size="small" variant="ghost" onClick={cancelEdit}>
            Cancel
          </Button>
        </p>
      )}
      <textarea
        ref={input}
        aria-label="Message"
        placeholder="Write a message"
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-[40dvh] min-h-14 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none placeholder:text-muted pointer-coarse:text-lg"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <p className="min-w-0 flex-1 px-1 text-xs text-muted max-sm:invisible pointer-coarse:invisible">
          <Kbd>Enter</Kbd> sends, <Kbd>Shift</Kbd> <Kbd>Enter</Kbd> begins a new line
        </p>
        {isRunning ? (
          <Button onClick={stop}>
            <Square />
            Stop
            <span className="pointer-coarse:hidden">
              <Kbd>Esc</Kbd>
            </span>
          </Button>
        ) : (
          <Button type="submit" variant="primary" disabled={text.trim() === ""}>
            <ArrowUp />
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
