import { expect, test } from "@playwright/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";

const page = (body: string, style = "") =>
  `<html lang="en"><head><title>A page</title><style>${style}</style></head><body><main><h1>Heading</h1>${body}</main></body></html>`;

test("a violation is found in a page's first check and in later ones, with the element that has it", async ({
  page: opened,
}) => {
  await opened.setContent(page('<input id="unnamed">'));
  const first = expectNoAxeViolations(opened);
  await expect(first).rejects.toThrow(/in light[^]*label: <input id=\\"unnamed\\">/);
  await opened.locator("input").evaluate((input) => input.setAttribute("aria-label", "Name"));
  await expectNoAxeViolations(opened);
  await opened.locator("input").evaluate((input) => input.removeAttribute("aria-label"));
  const later = expectNoAxeViolations(opened);
  await expect(later).rejects.toThrow(/in light[^]*label: <input id=\\"unnamed\\">/);
});

test("a color that is too pale in dark mode alone is found", async ({ page: opened }) => {
  const pale =
    "p { color: #222; background: white } @media (prefers-color-scheme: dark) { p { color: #eee } }";
  await opened.setContent(page("<p>Text</p>", pale));
  await expect(expectNoAxeViolations(opened)).rejects.toThrow(/in dark[^]*color-contrast: <p>Text<\/p>/);
});
