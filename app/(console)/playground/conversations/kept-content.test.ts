import { expect, test } from "bun:test";
import { newRun } from "../messages/message";
import { type Bench, newBench } from "../panes/pane";
import { benchOf, contentOf, isBlank, titleOf } from "./kept-content";

const said = (text: string): Bench => {
  const bench = newBench("m");
  const [pane] = bench.panes;
  if (!pane) throw new Error("a pane");
  const run = {
    ...newRun("m", { model: "m" }),
    reply: { status: 200, headers: [], body: "x", isCut: false },
  };
  const messages = [
    { id: "1", role: "user" as const, text },
    { id: "2", role: "assistant" as const, text: "yes", run },
  ];
  return { ...bench, panes: [{ ...pane, messages }] };
};

test("restores a saved conversation without its raw requests and replies", () => {
  const bench = said("Why?");
  const back = benchOf(JSON.parse(JSON.stringify(contentOf(bench))));
  expect(back?.panes[0]?.messages[0]).toEqual(bench.panes[0]?.messages[0] as never);
  expect(back?.panes[0]?.messages[1]?.run).toMatchObject({ request: null, reply: null, model: "m" });
});

test("does not save an oversized conversation, nor open one of another form", () => {
  expect(contentOf(said("x".repeat(2_000_000)))).toBeNull();
  expect(benchOf({ format: 2 })).toBeNull();
  expect(benchOf({ format: 1, panes: [] })).toBeNull();
  const kept = JSON.parse(JSON.stringify(contentOf(said("x"))));
  kept.panes[0].messages[0].attachments = [
    { name: "a", kind: "image", mimeType: "image/png", data: 'x"), url("https://other.example' },
  ];
  expect(benchOf(kept)).toBeNull();
});

test("a conversation is named by what it begins with", () => {
  expect(titleOf(said("  two\nlines "))).toBe("two lines");
  expect(titleOf({ ...newBench("m"), draft: "half a thou" })).toBe("half a thou");
  expect(isBlank(newBench("m"))).toBe(true);
  expect(isBlank(said("a"))).toBe(false);
});
