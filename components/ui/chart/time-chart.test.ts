import { expect, test } from "bun:test";
import { placeLabels } from "./time-chart";

test("labels stay in place, and move apart if they would overlap", () => {
  expect(placeLabels([10, 50, 90], 16, 200)).toEqual([10, 50, 90]);
  expect(placeLabels([50, 10, 52], 16, 200)).toEqual([50, 10, 66]);
  expect(placeLabels([195, 196, 197], 16, 200)).toEqual([168, 184, 200]);
  expect(placeLabels([], 16, 200)).toEqual([]);
});
