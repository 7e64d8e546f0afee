import { describe, expect, test } from "bun:test";
import { placeBeside } from "./place-beside";

const viewport = { width: 400, height: 300 };
const box = { width: 100, height: 80 };

describe("placeBeside", () => {
  test("puts a menu under its button, left edges together", () => {
    const anchor = { left: 50, top: 20, width: 60, height: 30 };
    expect(placeBeside(anchor, box, viewport, "bottom", "start")).toEqual({ left: 50, top: 56 });
  });

  test("turns upwards when the bottom of the screen is too near", () => {
    const anchor = { left: 50, top: 260, width: 60, height: 30 };
    expect(placeBeside(anchor, box, viewport, "bottom", "start").top).toBe(174);
  });

  test("turns downwards when a tooltip would leave the top", () => {
    const anchor = { left: 50, top: 10, width: 60, height: 30 };
    expect(placeBeside(anchor, box, viewport, "top", "center")).toEqual({ left: 30, top: 46 });
  });

  test("stays on the screen at its right and left edge", () => {
    const right = { left: 380, top: 20, width: 20, height: 30 };
    expect(placeBeside(right, box, viewport, "bottom", "start").left).toBe(292);
    const left = { left: 0, top: 20, width: 20, height: 30 };
    expect(placeBeside(left, box, viewport, "bottom", "end").left).toBe(8);
  });

  test("stays below the top when it fits on neither side", () => {
    const tall = { width: 100, height: 290 };
    expect(
      placeBeside({ left: 0, top: 140, width: 20, height: 20 }, tall, viewport, "bottom", "start").top,
    ).toBe(8);
  });
});
