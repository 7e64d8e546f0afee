import { expect, test } from "bun:test";
import { readText, readThinking } from "./read-answer";

test.each([
  [{ content: "Hi" }, "Hi", ""],
  [{ content: null, refusal: "I can't." }, "I can't.", ""],
  [{ content: "", reasoning: "Hm", reasoning_content: "Hm" }, "", "Hm"],
  [{ content: "Hi", reasoning_content: "", reasoning: "Hm" }, "Hi", "Hm"],
  [
    {
      content: [
        {
          type: "thinking",
          thinking: [
            { type: "text", text: "H" },
            { type: "text", text: "m" },
          ],
        },
        { type: "text", text: "Hi" },
        { type: "text", text: "!" },
      ],
    },
    "Hi!",
    "Hm",
  ],
  [{ content: [{ type: "thinking", thinking: "Hm" }, null, { type: "image" }, "x"] }, "", "Hm"],
  [{ content: { text: "x" } }, "", ""],
])("%p says %p and thinks %p", (message, text, thinking) => {
  expect([readText(message), readThinking(message)]).toEqual([text, thinking]);
});
