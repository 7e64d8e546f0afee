"use client";

import { ArrowDown, SquarePen } from "lucide-react";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { Composer } from "./composer";
import type { Answer } from "./conversation";
import { EmptyConversation } from "./empty-conversation";
import { PlaygroundFrame } from "./playground-frame";
import type { Reader } from "./reader";
import { SettingsForm } from "./settings-form";
import { Transcript } from "./transcript";
import { usePlayground } from "./use-playground";

type PlaygroundProps = {
  /** Those that answer prompts; null where they can't be listed. */
  models: readonly OrganizationModel[] | null;
  askedModel: string | undefined;
  projectId: string | null;
  reader: Reader;
};

/** Settings, conversation and composer. */
export function Playground({ reader, ...options }: PlaygroundProps) {
  const { form, turns, isRunning, stop, isFollowing, follow, growing, ...draft } = usePlayground(options);
  const { text, setText, input, isEditing, write, sendText, retry, startAnew } = draft;
  const last = turns.at(-1);
  return (
    <>
      <PageHead
        title="Playground"
        sentence="Try a prompt against a model, under the limits and at the price a program would have."
        action={last && <NewConversationButton onClick={startAnew} />}
      />
      <PlaygroundFrame
        settings={<SettingsForm control={form.control} models={options.models} />}
        composer={
          <>
            {!isFollowing && <JumpButton onClick={follow} />}
            <Composer
              {...{ input, text, setText, stop, isRunning }}
              send={sendText}
              cancelEdit={isEditing ? () => write("") : undefined}
            />
          </>
        }
      >
        {last ? (
          <Transcript
            {...{ growing, turns, reader, isRunning }}
            edit={({ prompt }) => write(prompt, true)}
            retry={({ prompt }) => retry(prompt)}
          />
        ) : (
          <EmptyConversation choose={write} />
        )}
      </PlaygroundFrame>
      <p role="status" className="sr-only">
        {last && describeState(last.answer)}
      </p>
    </>
  );
}

type ActProps = { onClick: () => void };

function NewConversationButton({ onClick }: ActProps) {
  return (
    <Button onClick={onClick}>
      <SquarePen />
      New conversation
    </Button>
  );
}

function JumpButton({ onClick }: ActProps) {
  return (
    <Button onClick={onClick} className="absolute -top-11 left-1/2 -translate-x-1/2">
      <ArrowDown />
      Jump to latest
    </Button>
  );
}

/** What assistive technology is told: how it stands, never each word. */
function describeState({ state, model, problem }: Answer): string {
  switch (state) {
    case "waiting":
      return `Waiting for ${model.id}`;
    case "answering":
      return `${model.id} is answering`;
    case "finished":
      return "The answer is complete";
    case "stopped":
      return "Stopped";
    case "refused":
      return `Refused: ${problem?.message}`;
    case "broken":
      return `Broken off: ${problem?.message}`;
  }
}
