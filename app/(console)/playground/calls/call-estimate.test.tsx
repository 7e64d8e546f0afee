import { expect, mock, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { createProblem } from "@/lib/console/gateway/problem";
import type { PanePreview } from "./use-preview";

// Server actions, which the preview refers to, import it.
mock.module("server-only", () => ({}));
const { CallEstimate } = await import("./call-estimate");

const show = (problem: PanePreview["problem"]) =>
  renderToStaticMarkup(
    <CallEstimate
      previews={[{ paneId: "p", model: "echo", preview: null, problem }]}
      expectedCost={null}
      projectName={null}
      seesBalance={false}
    />,
  );

test("a gateway that couldn't be asked is no refusal", () => {
  const shown = show(createProblem("unreachable", "No gateway answers."));
  expect(shown).toContain("limits not checked");
  expect(shown).not.toContain("refused");
  expect(show(createProblem("refused", "Not this model."))).toContain("would be refused");
});
