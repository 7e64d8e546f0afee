import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Money } from "./money";

test("a minus is a minus, and what is copied for a spreadsheet is a number", () => {
  const html = renderToStaticMarkup(<Money amount="-1234.5" currency="USD" />);
  expect(html).toContain("−1,234.50");
  expect(html).toContain('value="-1234.5"');
});
