import { expect, test } from "bun:test";
import { PaintQueue } from "./paint-queue";

function queue() {
  const frames: (() => void)[] = [];
  const painted: string[] = [];
  const paints = new PaintQueue((run) => frames.push(run));
  const add = (id: string) => paints.add(id, () => painted.push(id));
  return { paints, painted, add, frame: () => frames.shift()?.() };
}

test("a frame draws one pane, in turn, and each once for all that came", () => {
  const { painted, add, frame } = queue();
  for (const id of ["a", "b", "a", "c", "a"]) add(id);
  frame();
  expect(painted).toEqual(["a"]);
  add("a");
  frame();
  frame();
  frame();
  frame();
  expect(painted).toEqual(["a", "b", "c", "a"]);
});

test("draws flushed updates at once, and not again", () => {
  const { paints, painted, add, frame } = queue();
  add("a");
  paints.flush("a");
  frame();
  expect(painted).toEqual(["a"]);
});
