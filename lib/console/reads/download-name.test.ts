import { expect, test } from "bun:test";
import { chooseFileEnding, formatAttachment } from "./download-name";

test("a file is saved under the name it was uploaded with", () => {
  expect(formatAttachment("report 1.pdf")).toBe('attachment; filename="report 1.pdf"');
  expect(formatAttachment("Übersicht (neu).csv")).toEndWith(
    "filename*=UTF-8''%C3%9Cbersicht%20%28neu%29.csv",
  );
});

test.each(['a"; filename="b.exe', "a\r\nset-cookie: x", "../../etc/passwd", "C:\\windows", "gpj.\u202eexe"])(
  "the name %j ends neither the header nor its folder, and reads as it is",
  (name) => {
    const header = formatAttachment(name);
    expect(header).toMatch(/^attachment; filename="[^"\\/\r\n]*"(; filename\*=UTF-8''[\w.~!*%-]*)?$/);
    expect(decodeURIComponent(header)).not.toMatch(/[\r\n\u202e]|\.\.\//);
  },
);

test("a half of a surrogate pair is replaced, not an error", () => {
  expect(formatAttachment("a\ud800.txt")).toContain('filename="a_.txt"');
});

test.each([
  ["audio/mpeg", ".mp3"],
  ["audio/mp4", ".m4a"],
  ["image/jpeg", ".jpg"],
  ["image/png", ".png"],
  ["video/quicktime", ".mov"],
  ["video/webm", ".webm"],
  ["audio/x-wav", ".wav"],
  ["application/vnd.example+json", ""],
  ["", ""],
])("a file of type %j is saved with the ending %j", (type, ending) => {
  expect(chooseFileEnding(type)).toBe(ending);
});
