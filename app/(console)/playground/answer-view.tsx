"use client";

import { lazy, Suspense } from "react";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import { Status } from "@/components/ui/status";
import { type Answer, isRunning } from "./conversation";
import type { Reader } from "./reader";
import { Receipt } from "./receipt";
import { Refusal } from "./refusal";
import { SandboxMark } from "./sandbox-mark";

const AnswerMarkdown = lazy(() =>
  import("./answer-markdown").then((file) => ({ default: file.AnswerMarkdown })),
);

type AnswerViewProps = {
  answer: Answer;
  reader: Reader;
  retry: (() => void) | undefined;
};

/** An answer as it comes, and under it what it took. */
export function AnswerView({ answer, reader, retry }: AnswerViewProps) {
  const { model, text, state, problem } = answer;
  const running = isRunning(answer);
  return (
    <article className="grid gap-2.5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-mono text-sm break-all">
          <span className="sr-only">Answer of </span>
          {model.id}
        </h2>
        {model.isSandbox && <SandboxMark />}
        {state === "stopped" && <Status tone="neutral">Stopped</Status>}
      </header>
      {state === "waiting" && (
        <p className="flex items-center gap-2 text-muted">
          <Spinner /> Waiting for the first word
        </p>
      )}
      {text !== "" && (
        <Suspense fallback={<p className="leading-6 break-words whitespace-pre-wrap">{text}</p>}>
          <AnswerMarkdown text={text} isLive={running} />
        </Suspense>
      )}
      {state === "finished" && text === "" && <p className="text-muted">The model answered with no words.</p>}
      {state === "stopped" && answer.requestId === null && (
        <Notice>
          Stopped before the gateway answered. If the call had been sent on, it was charged for what the model
          wrote until then.
        </Notice>
      )}
      {problem && (
        <Refusal
          {...{ problem, retry }}
          model={model.id}
          mayPay={reader.mayPay}
          isBroken={state === "broken"}
        />
      )}
      {!running && state !== "refused" && <Receipt {...{ answer, reader }} />}
    </article>
  );
}
