import { expect, test } from "bun:test";
import { Glob } from "bun";
import { renderToStaticMarkup } from "react-dom/server";
import { ChoiceSelect } from "./choice-select";

const show = (count: number) =>
  renderToStaticMarkup(
    <ChoiceSelect
      label="Model"
      value="m3"
      options={Array.from({ length: count }, (_, index) => ({ value: `m${index}`, label: `Model ${index}` }))}
      choose={() => {}}
    />,
  );

test("up to twenty options are the browser's select, more of them are searched", () => {
  expect(show(20)).toContain("<select");
  expect(show(21)).not.toContain("<select");
  expect(show(21)).toContain("Model 3");
});

/** Selects of the browser's own, with what bounds their options. */
const bounded: Readonly<Record<string, string>> = {
  "components/ui/fields/choice-select.tsx": "is searched from 21 options on",
  "components/ui/fields/select-field.tsx": "is searched from 21 options on",
  "components/ui/filters/filter-fields.tsx": "is searched from 21 options on",
  "components/ui/filters/range-filter.tsx": "has the ranges",
  "components/usage/grouping-choice.tsx": "has the groupings",
  "app/(console)/models/[id]/routes/routes-form.tsx": "has the orders of a group",
  "app/(console)/playground/model-picker/model-select.tsx":
    "is replaced by the searched one once the page has its script",
  "app/(console)/playground/settings/rail.tsx": "has the panes",
  "app/(console)/playground/settings/setting-fields.tsx": "has the values of a setting",
  "app/(console)/playground/panes/differences-dialog.tsx": "has the panes",
  "app/(console)/playground/media/media-form.tsx": "has the values of a setting",
  "app/(console)/playground/variables/variables-panel.tsx": "has the cases of a prompt",
  "app/(console)/providers/import/model-table.tsx": "has the families",
  "app/(console)/rate-limits/grid/grid-toolbar.tsx": "is searched from 21 options on",
  "app/(console)/rate-limits/grid/review-screen.tsx": "has the periods",
  "app/(console)/settings/configuration/past-source.tsx": "has the parts of a file",
  "app/(console)/prompts/cases/cases-form.tsx": "has the checks",
  "app/(console)/prompts/run-view.tsx": "has the runs of a prompt",
  "app/(console)/prompts/versions-tab.tsx": "has the versions of a prompt",
};

test("no other file has a select of the browser's, whose options could be hundreds", async () => {
  const found: string[] = [];
  for (const folder of ["app", "components"]) {
    for await (const file of new Glob(`${folder}/**/*.tsx`).scan())
      if (!file.includes(".test.") && (await Bun.file(file).text()).includes("<select")) found.push(file);
  }
  expect(found.filter((file) => !(file in bounded))).toEqual([]);
});
