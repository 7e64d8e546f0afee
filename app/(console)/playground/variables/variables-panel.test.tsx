import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { VariableText } from "./variable-text";

const render = (text: string, values: Record<string, string> = {}) =>
  renderToStaticMarkup(<VariableText text={text} values={values} />);

test("a message shows the value that is sent, and a variable without one as it is sent", () => {
  const shown = render("Greet {{ name }} of {{place}}", { name: "<Ada>" });
  expect(shown).toMatch(/^<span>Greet <\/span><mark[^>]*>&lt;Ada&gt;<\/mark><span> of <\/span>/);
  expect(shown).toMatch(/<mark title="place has no value"[^>]*>\{\{place\}\}<\/mark>$/);
});

test("a text without variables, and one with too many to mark, stays text", () => {
  expect(render("a {{ 1 }} b")).toBe("a {{ 1 }} b");
  expect(render("{{a}} ".repeat(300))).not.toContain("<mark");
});
