"use client";

import { Pencil } from "lucide-react";
import { memo, type RefCallback } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { AnswerView } from "./answer-view";
import type { Turn } from "./conversation";
import type { Reader } from "./reader";

type TranscriptProps = {
  /** Is told the list's element. */
  growing: RefCallback<HTMLElement>;
  turns: readonly Turn[];
  reader: Reader;
  isRunning: boolean;
  edit: (turn: Turn) => void;
  retry: (turn: Turn) => void;
};

/** The conversation so far. The turns before the last are drawn once. */
export function Transcript({ growing, turns, reader, isRunning, edit, retry }: TranscriptProps) {
  return (
    <ol ref={growing} className="grid gap-8" aria-label="Conversation">
      {turns.map((turn, index) => {
        const isOpen = index === turns.length - 1 && !isRunning;
        return (
          <TurnView
            key={turn.id}
            turn={turn}
            reader={reader}
            edit={isOpen ? edit : undefined}
            retry={isOpen ? retry : undefined}
          />
        );
      })}
    </ol>
  );
}

type TurnViewProps = {
  turn: Turn;
  reader: Reader;
  edit: ((turn: Turn) => void) | undefined;
  retry: ((turn: Turn) => void) | undefined;
};

const TurnView = memo(function TurnView({ turn, reader, edit, retry }: TurnViewProps) {
  return (
    <li className="grid gap-4">
      <div className="flex items-start gap-2 rounded-md bg-default px-3 py-2">
        <p className="min-w-0 flex-1 leading-6 break-words whitespace-pre-wrap">
          <span className="sr-only">You: </span>
          {turn.prompt}
        </p>
        {edit && (
          <IconButton size="small" label="Edit and send again" icon={<Pencil />} onClick={() => edit(turn)} />
        )}
      </div>
      <AnswerView answer={turn.answer} reader={reader} retry={retry && (() => retry(turn))} />
    </li>
  );
});
