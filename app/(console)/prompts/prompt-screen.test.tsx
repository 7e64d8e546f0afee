import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { ChoiceSet } from "./prompt-screen";

test("what is chosen at first leads the options, also if it is the last of many", () => {
  const names = Array.from({ length: 20 }, (_, index) => `model-${index}`);
  const html = renderToStaticMarkup(
    <ChoiceSet
      legend="Models"
      options={names.map((name) => ({ value: name, label: name }))}
      chosen={["model-19"]}
      most={8}
      change={() => {}}
    />,
  );
  const shown = [...html.matchAll(/model-\d+/g)].map(([name]) => name);
  expect(shown).toEqual(["model-19", ...names.slice(0, 19)]);
});
