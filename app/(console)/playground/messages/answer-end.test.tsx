import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { AnswerEnd } from "./answer";

const render = (finishReason: string | null) =>
  renderToStaticMarkup(<AnswerEnd finishReason={finishReason} />);

test("an answer that may lack something says why, by the reason of each API", () => {
  expect(render("length")).toContain("The answer reached its limit of output tokens.");
  expect(render("max_output_tokens")).toContain("The answer reached its limit of output tokens.");
  expect(render("incomplete")).toContain("Incomplete");
  expect(render("max_tokens")).toContain("The answer reached its limit of output tokens.");
  expect(render("content_filter")).toContain("Filtered");
  expect(render("refusal")).toContain("Declined");
});

test("an answer that ended whole, or for a provider's own reason, gets no note", () => {
  for (const reason of [null, "stop", "end_turn", "completed", "eos", "constructor", "__proto__"]) {
    expect(render(reason)).toBe("");
  }
});
