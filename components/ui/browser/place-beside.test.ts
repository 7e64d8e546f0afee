import { expect, test } from "bun:test";
import { placeBeside } from "./place-beside";

const screen = { width: 1000, height: 600 };
const box = { width: 200, height: 300 };
const button = (left: number, top: number) => ({ left, top, right: left + 100, bottom: top + 32 });

test("a box is below its anchor, at the asked edge", () => {
  const anchor = button(400, 100);
  expect(placeBeside(anchor, box, screen, { side: "bottom", align: "start" })).toEqual({
    left: 400,
    top: 138,
  });
  expect(placeBeside(anchor, box, screen, { side: "bottom", align: "end" })).toEqual({ left: 300, top: 138 });
  expect(placeBeside(anchor, box, screen, { side: "bottom", align: "center" })).toEqual({
    left: 350,
    top: 138,
  });
});

test("a box without room changes to the opposite side, unless that has none either", () => {
  const below = { side: "bottom", align: "start" } as const;
  expect(placeBeside(button(400, 500), box, screen, below).top).toBe(194);
  expect(placeBeside(button(400, 280), box, screen, below).top).toBe(318);
  const tip = { width: 200, height: 40 };
  expect(placeBeside(button(400, 10), tip, screen, { side: "top", align: "center" }).top).toBe(48);
  const right = { side: "right", align: "start" } as const;
  expect(placeBeside(button(850, 100), tip, screen, right)).toEqual({ left: 644, top: 100 });
});

test("a box stays inside the window", () => {
  const below = { side: "bottom", align: "start" } as const;
  expect(placeBeside(button(950, 100), box, screen, below).left).toBe(792);
  expect(placeBeside(button(-50, 100), box, screen, below).left).toBe(8);
});
