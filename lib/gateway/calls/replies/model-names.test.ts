import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { ModelNames } from "./stream-event";

const asked = 'a "größer" name';
const write = (chunk: object) => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
const choices = (content: string) => [{ index: 0, delta: { content } }];
const read = (event: Buffer) => JSON.parse(event.toString().replaceAll(/^data: ?/gm, ""));

test("each chunk gets the name, wherever its own stands, and nothing else changes", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 20 });
  const orders = fc.constantFrom(
    (content: string, model: string) => ({ id: "c", model, choices: choices(content) }),
    (content: string, model: string) => ({ choices: choices(content), created: 1, model, usage: null }),
    (content: string, model: string) => ({ model, choices: [{ delta: { tool: { model: content } } }] }),
    (content: string, model: string) => ({ x: { model: "other" }, choices: choices(content), model }),
  );
  fc.assert(
    fc.property(
      texts,
      fc.array(orders, { minLength: 20, maxLength: 20 }),
      fc.string(),
      (contents, forms, own) => {
        const names = new ModelNames(asked);
        for (const [index, content] of contents.entries()) {
          const form = forms[index] ?? forms[0];
          const event = names.rename(write(form?.(content, own) ?? {}));
          expect(read(event)).toEqual(JSON.parse(JSON.stringify(form?.(content, asked))));
        }
      },
    ),
  );
});

test.each([
  ["the name that was asked for", write({ model: asked, choices: choices("a") })],
  ["no name", write({ choices: choices('"model":"x"') })],
  ["a name that is none", write({ model: null, choices: choices("a") })],
  ["a name inside alone", write({ choices: [{ delta: { model: "x" } }] })],
  ["nothing but a comment", Buffer.from(": still here\n\n")],
])("an event with %s stays as it is, without a copy", (_, event) => {
  const names = new ModelNames(asked);
  expect([names.rename(event), names.rename(event)]).toEqual([event, event]);
  expect(names.rename(event)).toBe(event);
});

test("a chunk in several lines is named, too", () => {
  const event = Buffer.from('data: {"choices":[],\r\ndata: "model":\r\ndata: "x"}\r\n\r\n');
  expect(read(new ModelNames(asked).rename(event))).toEqual({ choices: [], model: asked });
});

test("events that are alike are named together", () => {
  const names = new ModelNames(asked);
  const events = ["one", "two", "\\n three"].map((text) =>
    write({ id: "c", model: "own", choices: choices(text) }),
  );
  names.rename(events[0] ?? Buffer.alloc(0));
  const named = Buffer.from(names.renameAlike(Buffer.concat(events)));
  const expected = events.map((event) => names.rename(event));
  expect(named.toString()).toBe(Buffer.concat(expected).toString());
  const same = Buffer.concat(events.map((event) => Buffer.from(event.toString().replace("own", "m"))));
  expect(new ModelNames("m").renameAlike(same)).toBe(same);
});
