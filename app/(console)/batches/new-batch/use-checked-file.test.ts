import { afterEach, expect, mock, spyOn, test } from "bun:test";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { findEndpoint, readFileStart, readStoredStart } from "./use-checked-file";

afterEach(() => mock.restore());

const readProblem = (reading: Promise<string>) =>
  reading.then(
    () => null,
    (error: unknown) => (error instanceof ProblemError ? error.problem.message : error),
  );

test("a batch calls the endpoint that its file names", () => {
  expect(findEndpoint('{"custom_id": "1", "url": "/v1/embeddings"')).toBe("/v1/embeddings");
  expect(findEndpoint("not a batch")).toBe("/v1/chat/completions");
});

test("a folder that is dropped is said to be none of the files that can be read", async () => {
  const folder = new Blob(["{}"]);
  spyOn(folder, "slice").mockReturnValue({
    text: () => Promise.reject(new DOMException("gone", "NotFoundError")),
  } as unknown as Blob);
  expect(await readProblem(readFileStart(folder))).toBe(
    "The file can’t be read. Choose a file, not a folder.",
  );
});

test("a stored file that can't be read is not taken for an empty one", async () => {
  const gone = createProblem("not_found", "The file doesn’t exist any more.");
  const fetch = spyOn(globalThis, "fetch");
  fetch.mockResolvedValueOnce(Response.json({ problem: gone }, { status: 404 }));
  expect(await readProblem(readStoredStart("file_1"))).toBe(gone.message);
  fetch.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
  expect(await readProblem(readStoredStart("file_1"))).toContain("Something other than the console answered");
  fetch.mockResolvedValueOnce(new Response('{"url": "/v1/embeddings"}'));
  expect(await readStoredStart("file_1")).toBe('{"url": "/v1/embeddings"}');
});
