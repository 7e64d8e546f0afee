import { expect, test } from "bun:test";
import fc from "fast-check";
import { drawModules } from "./app-step";

/** Renders the rectangles of a path into a grid. */
function paint(path: string, width: number, height: number): boolean[][] {
  const grid = Array.from({ length: height }, () => Array<boolean>(width).fill(false));
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    grid[Number(y)]?.fill(true, Number(x), Number(x) + Number(run));
  }
  return grid;
}

test("the path covers the dark modules and no others", () => {
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
    .chain(([width, height]) =>
      fc.array(fc.array(fc.boolean(), { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    );
  fc.assert(
    fc.property(matrix, (modules) => {
      expect(paint(drawModules(modules), modules[0]?.length ?? 0, modules.length)).toEqual(modules);
    }),
  );
});
