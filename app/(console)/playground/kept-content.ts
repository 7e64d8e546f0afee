import type { Bench, Pane } from "./pane";

/** More is not kept: the gateway takes two megabytes of a conversation. */
const MOST_CHARACTERS = 1_900_000;
const LONGEST_TITLE = 80;

/** What is kept of a workbench: everything but requests and replies to the letter. Null where that is too much. */
export function contentOf(bench: Bench): Record<string, unknown> | null {
  const content = { format: 1, ...bench, panes: bench.panes.map(withoutRaw) };
  return JSON.stringify(content).length > MOST_CHARACTERS ? null : content;
}

function withoutRaw(pane: Pane): Pane {
  const messages = pane.messages.map((message) =>
    message.run ? { ...message, run: { ...message.run, request: null, reply: null } } : message,
  );
  return { ...pane, messages };
}

/** Null for what this console did not write. */
export function benchOf({ format, ...content }: Record<string, unknown>): Bench | null {
  const bench = content as unknown as Bench;
  const isWhole = Array.isArray(bench.panes) && bench.panes.length > 0 && typeof bench.draft === "string";
  return format === 1 && isWhole ? bench : null;
}

/** A workbench of which nothing would be missed. */
export function isBlank({ panes, draft }: Bench): boolean {
  return draft.trim() === "" && panes.every(({ messages }) => messages.length === 0);
}

/** What it begins with. */
export function titleOf({ panes, draft }: Bench): string {
  const first =
    panes.flatMap(({ messages }) => messages).find(({ text }) => text.trim() !== "")?.text ?? draft;
  const line = first.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();
  return line === "" ? "Without words" : line.slice(0, LONGEST_TITLE);
}
