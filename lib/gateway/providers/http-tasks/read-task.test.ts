import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { UnusableOutput } from "../media-client";
import { decodeOutput, readErrorWords, readOutputs, readRemoteId, readRemoteState } from "./task-api-client";

const poll = {
  path: "/tasks/{id}",
  status: "/status",
  statuses: { queued: ["waiting"], running: ["busy", 1], succeeded: ["done", true], failed: ["broken"] },
};
const taskApi = {
  submit: { path: "/tasks", body: {}, id: "/task/id" },
  poll,
  outputs: { list: "/files", url: "/url" },
  error: { message: ["/error/detail", "/error"], code: "/error/code" },
} as unknown as TaskApi & { readonly poll: NonNullable<TaskApi["poll"]> };
const server = { apiKey: null };
const readState = (reply: unknown, more: object = {}) =>
  readRemoteState(reply, { ...taskApi, poll: { ...poll, ...more } } as typeof taskApi, server);

describe("the id of a remote task", () => {
  const read = (id: unknown, more: object = {}) =>
    readRemoteId({ task: { id } }, { ...taskApi, ...more } as TaskApi);

  test.each<[unknown, string]>([
    ["t-1", "t-1"],
    [17, "17"],
    ["models/m/operations/1", "models/m/operations/1"],
  ])("%p is read as %p", (id, read_) => {
    expect(read(id)).toBe(read_);
  });

  test.each([[""], ["."], [".."], ["two words"], ["a\u0000"], ["x".repeat(201)], [1.5], [null], [{}]])(
    "%p is none, since it could name another path or nothing",
    (id) => {
      expect(() => read(id)).toThrow("no id at /task/id");
    },
  );

  test("a segment that leads elsewhere is refused where the path keeps its slashes, and only there", () => {
    expect(read("a/../b")).toBe("a/../b");
    const keepsSlashes = { poll: { ...poll, path: "/{+id}" } };
    expect(() => read("a/../b", keepsSlashes)).toThrow("no id");
    expect(read("a/b", keepsSlashes)).toBe("a/b");
  });
});

describe("the state of a remote task", () => {
  test.each<[unknown, object]>([
    ["waiting", { kind: "running", progress: null }],
    ["busy", { kind: "running", progress: null }],
    ["1", { kind: "running", progress: null }],
    [true, { kind: "succeeded" }],
  ])("is %p as the mapping names it, whether it is written as a text or not", (status, state) => {
    expect(readState({ status })).toEqual(state as never);
  });

  test.each([[undefined], [null], [{}], ["odd"]])("%p is an error, and no state", (status) => {
    expect(() => readState({ status })).toThrow(/status/);
  });

  test("a failure has the words of the first pointer with a text", () => {
    const words = (error: unknown) => readErrorWords({ error }, taskApi, server).message;
    expect(words({ detail: "No faces." })).toContain("No faces.");
    expect(words("No faces.")).toContain("No faces.");
  });

  test.each<[unknown, number | null]>([
    [0, 0],
    [25, 50],
    ["49.9", 99],
    ["12.5 %", 25],
    [50, 100],
    [51, null],
    [-1, null],
    ["half", null],
    [Number.NaN, null],
  ])("a progress of %p out of 50 is %p percent", (written, percent) => {
    const progress = { pointer: "/progress", maximum: 50 };
    const state = readState({ status: "busy", progress: written }, { progress });
    expect(state).toEqual({ kind: "running", progress: percent });
  });
});

describe("the outputs of a document", () => {
  const read = (files: unknown, count: number) => readOutputs({ files }, taskApi, { count });

  test("are as many as were ordered, in their order, however many it names", () => {
    fc.assert(
      fc.property(fc.array(fc.webUrl(), { minLength: 1, maxLength: 10 }), fc.nat(9), (urls, beyond) => {
        const count = Math.max(1, urls.length - beyond);
        const files = read(
          urls.map((url) => ({ url })),
          count,
        );
        expect(files).toEqual(urls.slice(0, count).map((source, position) => ({ position, source })));
      }),
    );
  });

  test("are unusable if there are fewer, or one has no address, with the place where it should be", () => {
    expect(() => read([{ url: "u" }], 2)).toThrow(UnusableOutput);
    expect(() => read([{ url: "u" }, { url: "" }], 2)).toThrow("/files/1/url");
    expect(() => read("u", 1)).toThrow("no list at /files");
  });
});

test("the bytes of an output are read from base64 in any of its spellings, and nothing else is taken for it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.boolean(), (bytes, isData) => {
      const text = Buffer.from(bytes).toString("base64");
      const written = isData ? `data:image/svg+xml;base64,${text}\n` : text.replaceAll("+", "-");
      expect(new Uint8Array(decodeOutput(written))).toEqual(bytes);
    }),
  );
  for (const wrong of ["", "<html>", "a b", "data:image/png,abc"])
    expect(() => decodeOutput(wrong)).toThrow("not in base64");
});
