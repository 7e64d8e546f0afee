"use client";

import { ArrowUp, Square } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";

type ComposerProps = {
  input: RefObject<HTMLTextAreaElement | null>;
  text: string;
  setText: (text: string) => void;
  send: () => void;
  stop: () => void;
  isRunning: boolean;
  /** Set while the last prompt is being edited. */
  cancelEdit: (() => void) | undefined;
};

/** Two presses within this are one gesture. */
const DOUBLE_PRESS_MS = 500;

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

  const stoppedAt = useRef(Number.NEGATIVE_INFINITY);

  function stopByButton(event: MouseEvent) {
    stoppedAt.current = event.timeStamp;
    stop();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && cancelEdit && !isRunning) cancelEdit();
    // Enter that confirms a word of an input method does not send.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isRunning && event.timeStamp - stoppedAt.current > DOUBLE_PRESS_MS) send();
  }
  /** A press on the box beside its buttons is meant for the message. */
  function writeOn(event: MouseEvent) {
    if (event.target instanceof Element && event.target.closest("button, textarea")) return;
    event.preventDefault();
    input.current?.focus();
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!isRunning) send();
  }

  return (
    <form
      onSubmit={onSubmit}
      onMouseDown={writeOn}
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
        <KeyHint />
        {isRunning && <StopButton stop={stopByButton} onGone={() => input.current?.focus()} />}
        <Button type="submit" variant="primary" disabled={isRunning || text.trim() === ""}>
          <ArrowUp />
          Send
        </Button>
      </div>
    </form>
  );
}

function KeyHint() {
  return (
    <p className="min-w-0 flex-1 px-1 text-xs text-muted max-sm:invisible pointer-coarse:invisible">
      <Kbd>Enter</Kbd> sends, <Kbd>Shift</Kbd> <Kbd>Enter</Kbd> begins a new line
    </p>
  );
}

type StopButtonProps = {
  stop: (event: MouseEvent) => void;
  /** It had the focus when the answer ended. */
  onGone: () => void;
};

/** Beside Send, never in its place: whoever presses twice sends nothing. */
function StopButton({ stop, onGone }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const goneWithFocus = useEffectEvent(onGone);

  // A layout effect is undone before the element leaves the document, and its focus with it.
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) goneWithFocus();
    };
  }, []);

  return (
    <Button ref={button} onClick={stop}>
      <Square />
      Stop
      <span className="pointer-coarse:hidden">
        <Kbd>Esc</Kbd>
      </span>
    </Button>
  );
}
