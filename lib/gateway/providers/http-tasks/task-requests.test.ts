import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import type { MediaOrder } from "../media-client";
import { buildTaskPath, isPath, submitRequest } from "./task-requests";

const order: MediaOrder = {
  family: "image",
  model: "studio/fast",
  prompt: "A “cat”\nin {size}",
  count: 2,
  size: { width: 1024, height: 768 },
  seconds: null,
  quality: null,
  extraFields: { seed: 7, style: { name: "ink" } },
};
const submit = (api: object, sentOrder: MediaOrder = order) =>
  submitRequest({ submit: { path: "/make", body: {}, ...api } } as unknown as TaskApi, sentOrder, "task_1");
const readBody = (body: unknown, sentOrder?: MediaOrder) =>
  JSON.parse(String(submit({ body }, sentOrder).body));

test("an order fills the template with values of their own types, and never fills in what a caller wrote", () => {
  const body = { p: "{prompt}", n: "{count}", size: "{size}", w: "{width}", seed: "{parameters.seed}" };
  expect(readBody(body)).toEqual({ p: order.prompt, n: 2, size: "1024x768", w: 1024, seed: 7 });
});

test("a size that is the provider's to choose is not sent", () => {
  const { size, width } = readBody({ size: "{size}", width: "{width}" }, { ...order, isSizeFree: true });
  expect([size ?? null, width ?? null]).toEqual([null, null]);
});

test("the key that tells a repeated order goes into the header and the path that the mapping names", () => {
  const { path, headers } = submit({ path: "/{model}/{task_id}", idempotency_header: "Idempotency-Key" });
  expect(path).toBe("/studio/fast/task_1");
  expect(headers).toMatchObject({ "Idempotency-Key": "task_1" });
});

test.each([["../admin"], ["a//b"], ["a/./b"], [""]])("a model named %p is refused in a path", (model) => {
  expect(() => submit({ path: "/{model}" }, { ...order, model })).toThrow("is no path");
});

test("an id stays one segment of a path, and with a plus several, of which none leads elsewhere", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 50, unit: "grapheme" }), (id) => {
      const path = buildTaskPath("/tasks/{id}/end", { id, order });
      expect(path.split("/")).toHaveLength(4);
      expect(decodeURIComponent(path.slice("/tasks/".length, -"/end".length))).toBe(id);
      if (!isPath(id)) return;
      const { pathname } = new URL(buildTaskPath("/v1/{+id}", { id, order }), "http://provider.test");
      expect(pathname.startsWith("/v1/")).toBe(true);
    }),
  );
});
