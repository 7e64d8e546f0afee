import { expect, test } from "bun:test";
import { PaintQueue } from "./running-answers";

function queue() {
  const turns: ((isLate: boolean) => void)[] = [];
  const patience: number[] = [];
  const painted: string[] = [];
  const paints = new PaintQueue((work, atMostMs) => {
    turns.push(work);
    patience.push(atMostMs);
  });
  const add = (id: string) => paints.add(id, () => painted.push(id));
  return { paints, painted, add, patience, turn: (isLate = false) => turns.shift()?.(isLate) };
}

test("a turn draws one pane, and each once for all that came", () => {
  const { painted, add, turn } = queue();
  for (const id of ["a", "b", "a", "c", "a"]) add(id);
  turn();
  expect(painted).toEqual(["a"]);
  add("a");
  turn();
  turn();
  turn();
  turn();
  expect(painted).toEqual(["a", "b", "c", "a"]);
});

test("draws flushed updates at once, and not again", () => {
  const { paints, painted, add, turn } = queue();
  add("a");
  paints.flush("a");
  turn();
  expect(painted).toEqual(["a"]);
});

test("leaves more and more time to a screen that isn't rendered yet, though less than a second, and none once it is", () => {
  const { painted, add, patience, turn } = queue();
  for (const isLate of [true, true, true, true, true, false, false]) {
    add("a");
    turn(isLate);
  }
  expect(painted).toHaveLength(7);
  expect(patience).toEqual([100, 200, 400, 800, 800, 800, 100]);
});
