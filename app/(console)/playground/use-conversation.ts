"use client";

import { useCallback, useRef, useState } from "react";
import { useRun } from "@/app/queries/use-run";
import type { Problem } from "@/lib/console/problem";
import type { ChatEvent } from "@/lib/console/stream-chat";
import { sendPrompt } from "./actions";
import { type Answer, type AskedModel, end, hear, messagesOf, newAnswer, type Turn } from "./conversation";

/** What a prompt is sent with. */
export interface Settings {
  readonly projectId: string | null;
  readonly model: AskedModel;
  readonly instruction: string;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
}

/**
 * The conversation of this page and its one run. Events are taken in at most once per frame, however fast they come,
 * so that the page stays quick while an answer streams.
 */
export function useConversation() {
  const { start, stop: stopRun, isRunning } = useRun(sendPrompt);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const lastId = useRef(0);
  const closeCurrent = useRef(() => {});

  const change = useCallback((id: number, next: (answer: Answer) => Answer) => {
    setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, answer: next(turn.answer) } : turn)));
  }, []);

  /**
   * Sends a prompt after `before`, which may leave out the last turn: one that is asked again. Resolves when the answer
   * has ended, with the problem that let none begin.
   */
  const send = useCallback(
    async (prompt: string, before: readonly Turn[], settings: Settings): Promise<Problem | null> => {
      const id = ++lastId.current;
      const { model, projectId, temperature, maxTokens } = settings;
      const messages = messagesOf(settings.instruction, before, prompt);
      setTurns([...before, { id, prompt, answer: newAnswer(model) }]);
      const sentAt = performance.now();
      const elapsed = () => performance.now() - sentAt;
      const mine = framewise((events) =>
        change(id, (answer) => events.reduce((next, [event, ms]) => hear(next, event, ms), answer)),
      );
      const close = (state: "finished" | "stopped") => {
        const totalMs = elapsed();
        mine.flush();
        change(id, (answer) => end(answer, state, totalMs));
      };
      closeCurrent.current = () => close("stopped");
      const input = { projectId, model: model.id, messages, temperature, max_tokens: maxTokens };
      let isAnswered = false;
      let refusal: Problem | null = null;
      await start(input, (event) => {
        mine.take(event, elapsed());
        isAnswered ||= event.type === "text";
        if (event.type === "problem" && !isAnswered) refusal = event.problem;
      });
      close("finished");
      return refusal;
    },
    [change, start],
  );

  const stop = useCallback(() => {
    stopRun();
    closeCurrent.current();
  }, [stopRun]);

  const clear = useCallback(() => {
    stopRun();
    setTurns([]);
  }, [stopRun]);

  return { turns, send, stop, clear, isRunning };
}

type Heard = readonly [event: ChatEvent, elapsedMs: number];

/** Collects events and hands them on together, once per frame. */
function framewise(handOn: (events: readonly Heard[]) => void) {
  let waiting: Heard[] = [];
  let frame = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    handOn(events);
  };
  return {
    flush,
    take(event: ChatEvent, elapsedMs: number) {
      waiting.push([event, elapsedMs]);
      // A hidden page has no frames, and may stay hidden until the answer has ended: `flush` is called then.
      frame ||= requestAnimationFrame(flush);
    },
  };
}
