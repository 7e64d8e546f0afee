"use client";

import { ArrowUp, Paperclip, Square } from "lucide-react";
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import type { Attachment } from "@/components/playground/messages/message";
import { isComposing } from "@/components/ui/browser/is-composing";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { ScriptForm } from "@/components/ui/script-form";
import { AttachmentList } from "./attachments/attachment-list";

/** The message being written. */
type WrittenMessage = {
  text: string;
  setText: (text: string) => void;
  attachments: readonly Attachment[];
  attach: (files: readonly File[]) => void;
  detach: (attachment: Attachment) => void;
  /** True while files are being read, which are not among the attachments yet. */
  isReading: boolean;
};

/** What can be done with it, and with the answers that are under way. */
type Sending = {
  send: () => void;
  /** Adds the message to the conversations without sending it. */
  add: () => void;
  stop: () => void;
  isRunning: boolean;
  /** True while a message waits for its files to be read. */
  isWaiting: boolean;
  /** True if a pane can be answered without a new message. */
  canAnswer: boolean;
  /** True if the call can only be previewed. */
  isDryRun: boolean;
  /** The number of panes the message goes to. */
  paneCount: number;
};

/** Whether calls continue when the page is left. */
type Keeping = { keepsRunning: boolean; setKeepsRunning: (keepsRunning: boolean) => void };

type ComposerProps = {
  input: RefObject<HTMLTextAreaElement | null>;
  message: WrittenMessage;
  sending: Sending;
  /** Null if the gateway can't store answers. */
  keeping: Keeping | null;
  /** True while the workbench is as the server sent it, except for what was typed. */
  isAsSent: boolean;
  /** Shown at the left of Send. */
  actions: ReactNode;
  /** Shown at the left of all: the estimate. On a phone, above them. */
  children?: ReactNode;
};

/** Presses within this time count as one gesture. */
const DOUBLE_PRESS_MS = 500;

/**
 * The message being written. Enter sends, Alt+Enter adds without sending, Shift+Enter starts a new line, Escape stops
 * the answers.
 */
export function Composer({ input, message, sending, keeping, isAsSent, actions, children }: ComposerProps) {
  const { attachments } = message;
  const { isRunning } = sending;
  const stoppedAt = useRef(Number.NEGATIVE_INFINITY);
  const isWritten = message.text.trim() !== "" || attachments.length > 0 || message.isReading;
  const canSend = !isRunning && !sending.isDryRun && (isWritten || sending.canAnswer);
  useStopOnEscape(isRunning, sending.stop);

  function stopByButton(event: MouseEvent) {
    stoppedAt.current = event.timeStamp;
    sending.stop();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    if (event.altKey) {
      if (isWritten && !isRunning) sending.add();
    } else if (canSend && event.timeStamp - stoppedAt.current > DOUBLE_PRESS_MS) sending.send();
  }
  /** A click on the box outside its controls focuses the message field. */
  function writeOn(event: MouseEvent) {
    if (event.target instanceof Element && event.target.closest("button, textarea, input, a")) return;
    event.preventDefault();
    input.current?.focus();
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (canSend) sending.send();
  }
  return (
    <ScriptForm
      onSubmit={onSubmit}
      onMouseDown={writeOn}
      className="grid gap-2 border-t bg-background px-3 py-3 sm:px-4"
    >
      <fieldset
        aria-label="Message and files"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => takeDropped(event, message.attach)}
        className="min-w-0 rounded-md border border-field-border bg-field focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent"
      >
        <MessageField {...{ input, message, isAsSent, onKeyDown }} />
        {attachments.length > 0 && (
          <div className="px-3 pb-2">
            <AttachmentList attachments={attachments} remove={message.detach} />
          </div>
        )}
      </fieldset>
      <div className="flex flex-wrap items-end justify-end gap-2">
        <div className="flex min-w-0 grow basis-full flex-wrap items-center gap-x-3 text-sm text-muted xl:flex-1">
          {children}
          {keeping && <KeepsRunning {...keeping} />}
        </div>
        {actions}
        <AttachButton attach={message.attach} />
        {isRunning && <StopButton stop={stopByButton} onGone={() => input.current?.focus()} />}
        {isWritten && !isRunning && (
          <Button variant="ghost" title="Adds the message without sending it" onClick={sending.add}>
            Add
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={!canSend} pending={sending.isWaiting}>
          <ArrowUp />
          {sending.paneCount > 1 ? `Send to ${sending.paneCount}` : "Send"}
        </Button>
      </div>
    </ScriptForm>
  );
}

type MessageFieldProps = Pick<ComposerProps, "input" | "message" | "isAsSent"> & {
  onKeyDown: (event: KeyboardEvent) => void;
};

function MessageField({ input, message, isAsSent, onKeyDown }: MessageFieldProps) {
  const { text, setText, attach } = message;
  const id = useId();
  useEarlyEntry(id, setText);
  return (
    <textarea
      id={id}
      ref={input}
      data-composer
      // Enter before the page's script has loaded must not continue a conversation that wasn't visible then.
      data-enter-sends={isAsSent || undefined}
      aria-label="Message"
      placeholder="Write a message; drop or paste images and files"
      rows={2}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        takePasted(event, attach);
        refuseLongText(event, text.length);
      }}
      className="block field-sizing-content max-h-[30dvh] min-h-14 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none placeholder:text-muted pointer-coarse:text-lg"
    />
  );
}

/** Keeps its position when the Stop button disappears, so that a double click on Stop doesn't toggle it. */
function KeepsRunning({ keepsRunning, setKeepsRunning }: Keeping) {
  const id = useId();
  return (
    <span className="flex min-h-8 items-center gap-2 text-sm pointer-coarse:min-h-11">
      <Checkbox id={id} checked={keepsRunning} onChange={(event) => setKeepsRunning(event.target.checked)} />
      <label htmlFor={id}>Keep running if I leave</label>
    </span>
  );
}

function AttachButton({ attach }: Pick<WrittenMessage, "attach">) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          attach([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton
        label="Attach images or files"
        icon={<Paperclip />}
        onClick={() => files.current?.click()}
      />
    </>
  );
}

function useStopOnEscape(isRunning: boolean, stop: () => void): void {
  useEffect(() => {
    if (!isRunning) return;
    const stopOnEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector("dialog:modal")) return;
      stop();
    };
    window.addEventListener("keydown", stopOnEscape);
    return () => window.removeEventListener("keydown", stopOnEscape);
  }, [isRunning, stop]);
}

/** A browser takes seconds to lay out more in a text field. */
const MAX_LENGTH = 1_000_000;

function refuseLongText(event: ClipboardEvent, length: number): void {
  if (length + event.clipboardData.getData("text/plain").length <= MAX_LENGTH) return;
  event.preventDefault();
  const message = "The text was not pasted: a message has at most 1,000,000 characters. Attach it as a file.";
  toast({ message, tone: "bad" });
}

type StopButtonProps = {
  stop: (event: MouseEvent) => void;
  /** Called if the button had the focus when the answer ended. */
  onGone: () => void;
};

/** Placed next to Send, which it doesn't replace, so that a double click never sends. */
function StopButton({ stop, onGone }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const goneWithFocus = useEffectEvent(onGone);

  // A layout effect is cleaned up before the element leaves the document and loses the focus.
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

type Transfer = Pick<DataTransfer, "types"> & {
  readonly files: Iterable<File> & { readonly length: number };
};
type Attach = (files: File[]) => void;

/** Attaches dropped files. Leaves text to the browser. */
function takeDropped(event: { dataTransfer: Transfer; preventDefault: () => void }, attach: Attach): void {
  take(event, event.dataTransfer, attach);
}

/** Attaches pasted files. Leaves text to the browser, also if a picture of it comes along, as from a spreadsheet. */
export function takePasted(
  event: { clipboardData: Transfer; preventDefault: () => void },
  attach: Attach,
): void {
  const { types } = event.clipboardData;
  // A copied file has its name as plain text, and a copied picture its address as HTML; only text has both.
  if (types.includes("text/plain") && types.includes("text/html")) return;
  take(event, event.clipboardData, attach);
}

function take(event: { preventDefault: () => void }, { files }: Transfer, attach: Attach): void {
  if (files.length === 0) return;
  event.preventDefault();
  attach([...files]);
}
