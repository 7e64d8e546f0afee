import { describe, expect, test } from "bun:test";
import { listRoundTicks } from "./list-round-ticks";

describe("The values of an axis", () => {
  test("are about as many as asked for, in steps of 1, 2 or 5, and include the largest value", () => {
    expect(listRoundTicks(43, 4)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(listRoundTicks(7, 4)).toEqual([0, 2, 4, 6, 8]);
    expect(listRoundTicks(2_100_000, 4)).toEqual([0, 500_000, 1_000_000, 1_500_000, 2_000_000, 2_500_000]);
  });

  test("end at a largest value that is round itself", () => {
    expect(listRoundTicks(100, 4)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(listRoundTicks(0.6, 4)).toEqual([0, 0.2, 0.4, 0.6]);
  });

  test("are fewer if the room above the largest value fits larger steps", () => {
    expect(listRoundTicks(0.53, 4)).toEqual([0, 0.2, 0.4, 0.6]);
  });

  test("are exact below one", () => {
    expect(listRoundTicks(0.35, 4)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(listRoundTicks(0.000_000_043, 4)).toEqual([
      0, 0.000_000_01, 0.000_000_02, 0.000_000_03, 0.000_000_04, 0.000_000_05,
    ]);
  });

  test("go to 1 if there is no value", () => {
    expect(listRoundTicks(0, 4)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });
});
