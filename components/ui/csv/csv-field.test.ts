import { expect, test } from "bun:test";
import { readCsvFile } from "./csv-field";

const bounds = { maxBytes: 4, tooLarge: "Export one month of it." };

test("a CSV is read, and one that is too large or can't be read says what to do", async () => {
  expect(await readCsvFile(new File(["a,b"], "a.csv"), bounds)).toEqual({ text: "a,b" });
  expect(await readCsvFile(new File(["a,b,c"], "a.csv"), bounds)).toEqual({
    fault: "is larger than 4 bytes. Export one month of it.",
  });
  const folder = new File([], "folder");
  folder.arrayBuffer = () => Promise.reject(new DOMException("", "NotFoundError"));
  expect(await readCsvFile(folder, bounds)).toEqual({
    fault: "could not be read: it may be a folder, or no longer be there. Choose it again.",
  });
});
