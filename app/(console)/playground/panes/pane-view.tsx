"use client";

import { ArrowDown } from "lucide-react";
import dynamic from "next/dynamic";
import { memo, useCallback, useRef, useState } from "react";
import type { PlaygroundRights } from "@/app/(console)/playground/playground-frame";
import { findOtherFamily } from "@/components/playground/media/media-fields";
import {
  hasReceipt,
  isRunning,
  listOpenToolCalls,
  type Message,
  type ToolCall,
} from "@/components/playground/messages/message";
import { isPaneRunning, type Pane } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { computeTokensPerSecond, describeDuration } from "@/components/ui/values/describe-latency";
import { formatDecimal } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { MessageRow } from "../messages/message-row";
import { Receipt } from "../messages/receipt";
import { estimateCostSoFar, roughTokens } from "./estimate-cost-so-far";
import type { Award } from "./pane-head";
import { nameFailure, PaneHead } from "./pane-head";
import { useElapsed } from "./use-elapsed";

// Written by the server, too: what is typed into it before the scripts have loaded is kept.
const MediaForm = dynamic(() => import("../media/media-form").then((file) => file.MediaForm));

type PaneViewProps = {
  pane: Pane;
  store: WorkbenchStore;
  models: readonly OrganizationModel[] | null;
  rights: PlaygroundRights;
  awards: readonly Award[];
  number: number;
  isAlone: boolean;
  /** On a phone, only one pane is shown at a time. */
  isShown: boolean;
  isModelMissing: boolean;
  values: VariableValues;
  showSettings: (paneId: string) => void;
};

const NONE: readonly ToolCall[] = [];

/** One model with its conversation and the figures of its last answer. */
export const PaneView = memo(function PaneView(props: PaneViewProps) {
  const { pane, store, models, rights, number, isShown, values } = props;
  const { isFollowing, follow, scroller, growing } = useFollow();
  const last = pane.messages.at(-1);
  const isBusy = isPaneRunning(pane);
  const model = models?.find(({ id }) => id === pane.model);
  const openCalls = isBusy ? NONE : listOpenToolCalls(pane.messages);
  return (
    <section
      aria-label={`Pane ${number}: ${pane.model}`}
      style={{ flexGrow: pane.width }}
      className={classNames(
        "relative flex min-h-0 min-w-0 basis-0 flex-col lg:min-w-60",
        !isShown && "max-lg:hidden",
      )}
    >
      <PaneHead {...props} />
      {model && findOtherFamily(model) && <MediaForm {...{ pane, model, store }} />}
      {/* A scrolling box must be reachable by keyboard. */}
      <div
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={`Conversation with ${pane.model}`}
        data-pane={number}
        className="min-h-0 flex-1 overflow-y-auto px-3.5 py-3.5 -outline-offset-2"
      >
        {pane.messages.length === 0 && <EmptyPane store={store} model={model} isFirst={number === 1} />}
        <ol ref={growing} className="grid max-w-[760px] gap-4" aria-label="Conversation">
          {pane.messages.map((message) => (
            <MessageRow
              key={message.id}
              paneId={pane.id}
              {...{ message, store, rights, values, isBusy }}
              isSandbox={message.call?.model !== pane.model && isSandbox(message, models)}
              openCalls={message.toolCalls ? openCalls : NONE}
              isLast={message === last}
            />
          ))}
        </ol>
      </div>
      {!isFollowing && (
        <Button onClick={follow} className="absolute! bottom-11 left-1/2 -translate-x-1/2">
          <ArrowDown />
          Jump to latest
        </Button>
      )}
      {last?.call && <PaneFoot paneId={pane.id} {...{ last, store, rights, model }} />}
      <p role="status" className="sr-only">
        {last && describeState(last)}
      </p>
    </section>
  );
});

function isSandbox({ call }: Message, models: readonly OrganizationModel[] | null): boolean {
  return call !== undefined && models?.find(({ id }) => id === call.model)?.sandbox === true;
}

/** The announcement for assistive technology: the state, not each token. */
function describeState({ call }: Message): string {
  if (!call) return "";
  if (isRunning(call))
    return call.state === "waiting" ? `Waiting for ${call.model}` : `${call.model} is answering`;
  if (call.state === "finished") return `The answer of ${call.model} is complete`;
  if (call.state === "stopped") return `${call.model} was stopped`;
  return `${nameFailure(call)}: ${call.problem?.message}`;
}

type PaneFootProps = {
  paneId: string;
  last: Message;
  store: WorkbenchStore;
  model: OrganizationModel | undefined;
  rights: PlaygroundRights;
};

/** Figures of a pane's last answer: time to the first token, speed and the cost so far; at the end, its receipt. */
function PaneFoot({ paneId, last, store, model, rights }: PaneFootProps) {
  const { call, text } = last;
  const running = isRunning(call);
  const nowMs = useElapsed(running);
  if (!call || (last.output?.kind === "task" && !running)) return null;
  if (hasReceipt(last))
    return (
      <div className="max-h-[40%] shrink-0 overflow-y-auto border-t px-3 py-1">
        <Receipt key={last.id} {...{ call, rights, store, paneId }} messageId={last.id} />
      </div>
    );
  const { firstWordMs, totalMs, usage } = call;
  const tokens = usage?.completionTokens ?? roughTokens(text.length);
  const speed = computeTokensPerSecond(tokens, firstWordMs, totalMs ?? nowMs);
  const soFar = running ? estimateCostSoFar(call, tokens, model) : null;
  return (
    <footer className="flex min-h-9.25 shrink-0 flex-wrap items-center gap-x-2.5 border-t px-3 py-1 text-xs">
      {firstWordMs !== null && (
        <span>
          <strong className="font-medium">{describeDuration(firstWordMs)}</strong>{" "}
          <span className="text-muted">to first</span>
        </span>
      )}
      {speed && (
        <span>
          <strong className="font-medium">
            {usage ? "" : "≈ "}
            {Math.round(Number(speed))}
          </strong>{" "}
          <span className="text-muted">tok/s</span>
        </span>
      )}
      {soFar && (
        <span>
          <Money amount={soFar.amount} currency={soFar.currency} isApproximate />{" "}
          <span className="text-muted">so far</span>
        </span>
      )}
      {call.state === "refused" && call.problem?.code !== "unreachable" && (
        <span className="text-muted">Nothing was charged</span>
      )}
    </footer>
  );
}

/** Within this distance of the end counts as at the end. */
const NEAR_PX = 48;
const KEYS_UP = ["ArrowUp", "PageUp", "Home"];

/**
 * Keeps `scroller` at its end while the content of `growing` in it grows, until the reader scrolls up. `isFollowing` is
 * false after that. `follow` returns to the end.
 */
function useFollow() {
  const [isFollowing, setIsFollowing] = useState(true);
  const following = useRef(true);
  const box = useRef<HTMLElement | null>(null);
  const last = useRef({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });

  const decide = useCallback((next: boolean) => {
    following.current = next;
    setIsFollowing(next);
  }, []);
  const toEnd = useCallback(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  const scroller = useCallback(
    (element: HTMLElement | null) => {
      box.current = element;
      if (!element) return;
      const onScroll = () => {
        const { scrollTop, scrollHeight, clientHeight } = element;
        // A change of either height can scroll the box by itself. Otherwise only the reader scrolls up.
        const isSameSize =
          scrollHeight === last.current.scrollHeight && clientHeight === last.current.clientHeight;
        const isMovedUp = scrollTop < last.current.scrollTop && isSameSize;
        if (isMovedUp) decide(false);
        else if (scrollTop + clientHeight >= scrollHeight - NEAR_PX) decide(true);
        last.current = { scrollTop, scrollHeight, clientHeight };
      };
      // While an answer grows in every frame, only wheel and key events show reliably that the reader scrolls.
      const turnUp = () => element.scrollHeight > element.clientHeight && decide(false);
      const watching = new AbortController();
      const options = { passive: true, signal: watching.signal };
      element.addEventListener("scroll", onScroll, options);
      element.addEventListener("wheel", (event) => event.deltaY < 0 && turnUp(), options);
      element.addEventListener("keydown", (event) => KEYS_UP.includes(event.key) && turnUp(), options);
      return () => watching.abort();
    },
    [decide],
  );

  const growing = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const observer = new ResizeObserver(() => {
        // An empty conversation begins at its top.
        if (following.current && element.childElementCount > 0) toEnd();
      });
      observer.observe(element);
      // What is below the conversation takes room from it.
      if (element.parentElement) observer.observe(element.parentElement);
      return () => observer.disconnect();
    },
    [toEnd],
  );

  const follow = useCallback(() => {
    decide(true);
    toEnd();
  }, [decide, toEnd]);

  return { isFollowing, follow, scroller, growing };
}

const chatExamples = [
  "Explain what a rate limit is to a new colleague, in three sentences.",
  "Write a Python function that calls an API again with growing pauses.",
  "List, as a table, what to check before a model goes into production.",
];

/** Prompts to begin with, by the kind of model. The others need a recording, or any text. */
const mediaExamples: Readonly<Partial<Record<ModelFamily, readonly string[]>>> = {
  image: ["A lighthouse at night, as a woodcut.", "A floor plan of a small library, seen from above."],
  video: ["Waves roll onto a stony beach at dusk, the camera still."],
  music: ["A calm tune for a waiting room, on piano."],
  speech: ["Your order has left the warehouse and will arrive on Tuesday."],
  embedding: ["How do I change my password?"],
  moderation: ["I will find out where you live."],
};

type EmptyPaneProps = { store: WorkbenchStore; model: OrganizationModel | undefined; isFirst: boolean };

/** Shown before the first message: the model, what it is for, and example prompts. */
function EmptyPane({ store, model, isFirst }: EmptyPaneProps) {
  const choose = (draft: string) => {
    store.change((workbench) => ({ ...workbench, draft }));
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  const family = model?.family ?? "chat";
  const examples = family === "chat" ? chatExamples : (mediaExamples[family] ?? []);
  return (
    <div className="grid max-w-[560px] gap-4">
      {model && <Description model={model} />}
      {isFirst && (
        <>
          <p className="text-muted">
            Your message goes to every pane as a program’s call would, with the same limits and the same
            balance. Each answer shows its tokens, its exact cost and its timing.
          </p>
          {family === "transcription" && (
            <p className="text-muted">Attach a recording, or drop it onto the message field.</p>
          )}
          <ul className="grid gap-2 empty:hidden" aria-label="Examples">
            {examples.map((prompt) => (
              <li key={prompt}>
                <button
                  type="button"
                  onClick={() => choose(prompt)}
                  className="min-h-9 w-full rounded-md border bg-surface px-3 py-1.5 text-left hover:bg-default pointer-coarse:min-h-11"
                >
                  {prompt}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Description({ model }: { model: OrganizationModel }) {
  const { price, unit_price, rate, currency, description, sandbox } = model;
  // The description of a sandbox model repeats the words of the mark above it.
  const words = sandbox ? description?.replace(/^Not an AI: /, "It ") : description;
  return (
    <div className="grid gap-1 text-sm text-muted">
      {words && <p>{words}</p>}
      {price && (
        <p>
          {formatDecimal(price.input_per_1m)} {currency} per 1,000,000 tokens in,{" "}
          {formatDecimal(price.output_per_1m)} {currency} out, × rate {rate}
        </p>
      )}
      {unit_price && (
        <p>
          {formatDecimal(unit_price.amount)} {currency} per {unit_price.unit}
          {Object.entries(unit_price.qualities ?? {}).map(
            ([name, amount]) => `, ${formatDecimal(amount)} in ${name}`,
          )}
          , × rate {rate}
        </p>
      )}
    </div>
  );
}
