import { expect, test } from "bun:test";
import { takePasted } from "./composer";

const picture = new File(["png"], "image.png", { type: "image/png" });

function paste(types: string[], files: File[]) {
  const attached: File[] = [];
  let isPrevented = false;
  const preventDefault = () => {
    isPrevented = true;
  };
  takePasted({ clipboardData: { types, files }, preventDefault }, (next) => attached.push(...next));
  return { attached, isPrevented };
}

test.each([
  ["a screenshot", ["Files"]],
  ["a picture of a web page", ["text/html", "Files"]],
  ["a file from a file manager, with its name", ["text/plain", "Files"]],
])("%s: attached", (_what, types) => {
  expect(paste(types, [picture])).toEqual({ attached: [picture], isPrevented: true });
});

test.each([
  ["cells of a spreadsheet, with their picture", ["text/plain", "text/html", "text/rtf", "Files"], [picture]],
  ["text", ["text/plain"], []],
])("%s: pasted as text", (_what, types, files) => {
  expect(paste(types, files)).toEqual({ attached: [], isPrevented: false });
});
