import { expect, test } from "bun:test";
import { newPane } from "@/components/playground/panes/pane";
import { newWorkbench } from "@/components/playground/workbench";
import { resizePane } from "./pane-row";

test("a divider takes from one pane what it gives the other, and leaves both a width", () => {
  const workbench = { ...newWorkbench("m"), panes: [newPane("a"), newPane("b"), newPane("c")] };
  const widths = (share: number) =>
    resizePane(workbench, 1, share).panes.map(({ width }) => Math.round(width * 10));
  expect(widths(0.1)).toEqual([13, 7, 10]);
  expect(widths(-9)).toEqual([2, 18, 10]);
  expect(widths(9)).toEqual([18, 2, 10]);
});
