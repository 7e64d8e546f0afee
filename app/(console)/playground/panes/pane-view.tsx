"use client";

import { ArrowDown } from "lucide-react";
import dynamic from "next/dynamic";
import { memo } from "react";
import { findOtherFamily } from "@/components/playground/media/media-fields";
import {
  isRunning,
  listOpenToolCalls,
  type Message,
  type ToolCall,
} from "@/components/playground/messages/message";
import { isPaneRunning, type Pane } from "@/components/playground/panes/pane";
import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import type { VariableValues } from "@/lib/contract/calls/prompt-variables";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { MessageRow } from "../messages/message-row";
import type { PlaygroundRights } from "../playground-rights";
import type { Award } from "./awards";
import { EmptyPane } from "./empty-pane";
import { nameFailure } from "./name-failure";
import { PaneFoot } from "./pane-foot";
import { PaneHead } from "./pane-head";
import { useFollow } from "./use-follow";

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
