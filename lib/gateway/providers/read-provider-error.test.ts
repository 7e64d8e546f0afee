import { expect, test } from "bun:test";
import { readProviderError } from "./read-provider-error";

const REASON = "The model is not loaded";
const read = (value: unknown) => readProviderError(typeof value === "string" ? value : JSON.stringify(value));

test.each<[string, unknown, object]>([
  [
    "OpenAI's",
    { error: { message: REASON, type: "t", param: "model", code: "c" } },
    { param: "model", code: "c" },
  ],
  [
    "OpenAI's without a code",
    { error: { message: REASON, type: "invalid", param: null, code: null } },
    { code: "invalid" },
  ],
  [
    "Google's",
    [{ error: { code: 400, message: REASON, status: "INVALID_ARGUMENT" } }],
    { code: "INVALID_ARGUMENT" },
  ],
  [
    "Anthropic's",
    { type: "error", error: { type: "overloaded_error", message: REASON } },
    { code: "overloaded_error" },
  ],
  [
    "a message on top",
    { object: "error", message: REASON, type: "BadRequestError", code: 400 },
    { code: "BadRequestError" },
  ],
  ["a message that is an object", { message: { code: "c", message: REASON } }, { code: "c" }],
  ["an error that is a text", { error: REASON, code: "c" }, { code: "c" }],
  ["a detail", { detail: REASON }, {}],
  ["a detail that is an object", { detail: { error: { message: REASON, code: "c" } } }, { code: "c" }],
  [
    "FastAPI's details",
    { detail: [{ loc: ["body", "messages", 0], msg: REASON, type: "missing" }] },
    { param: "messages.0", code: "missing" },
  ],
  ["a list of errors", { errors: [{ code: "c", message: REASON }] }, { code: "c" }],
  ["a list of texts", { success: false, errors: [REASON] }, {}],
  ["errors by field", { title: "Bad", errors: { model: [REASON] } }, {}],
  ["a code and its words", { code: 1261, msg: REASON }, { code: "1261" }],
  ["names in another spelling", { errorCode: "c", errorMessage: REASON }, { code: "c" }],
  ["OAuth's", { error: "invalid_client", error_description: REASON }, { code: "invalid_client" }],
  [
    "words in an object of any name",
    { base_resp: { status_code: 1004, status_msg: REASON } },
    { code: "1004" },
  ],
  ["a problem document", { type: "https://x.test/p", title: "Bad request", detail: REASON, status: 400 }, {}],
  [
    "JSON in a text",
    { error: { message: JSON.stringify({ error: { message: REASON, code: "c" } }) } },
    { code: "c" },
  ],
  [
    "an error behind the server",
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: JSON.stringify({ error: { message: REASON, code: "c" } }) },
      },
    },
    { code: "c" },
  ],
  ["a text in JSON", JSON.stringify(REASON), {}],
  ["a text", `${REASON}\n`, {}],
  ["a text behind a byte order mark", `\uFEFF{"error":"${REASON}"}`, {}],
  ["a page", `<!DOCTYPE html><html><head><title> ${REASON} </title></head><body>secret</body></html>`, {}],
  ["XML", `<?xml version="1.0"?><Error><Code>c</Code><Message>${REASON}</Message></Error>`, {}],
])("the reason is found in %s", (_form, error, rest) => {
  expect(read(error)).toEqual({
    message: REASON,
    ...rest,
  });
});

test("several reasons are told together, at most three", () => {
  expect(read({ detail: ["a b", "c d", "e f", "g h"].map((msg) => ({ msg })) })).toEqual({
    message: "a b; c d; e f",
  });
});

test.each([
  ["nothing", ""],
  ["a page without a title", "<html><body>stack of a server</body></html>"],
  ["an answer", { choices: [{ message: { role: "assistant", content: "words of a model" } }], id: "c1" }],
  ["bytes", "\u0000\u0001\uFFFD"],
  ["JSON cut short", '{"error":{"mess'],
  ["an empty error", { error: {} }],
  ["a number", 12],
])("%s tells no reason", (_what, error) => {
  expect(read(error)).toEqual({});
});

test("a short word is a reason only where there is no other, and a status of HTTP is no code", () => {
  expect(read({ error: "overloaded" })).toEqual({ message: "overloaded", code: "overloaded" });
  expect(read({ error: { message: "No.", code: 7 } })).toEqual({ message: "No." });
  expect(read({ error: { message: "No.", code: "429" } })).toEqual({ message: "No." });
});

test("an error of many levels costs nothing, and none is longer than 500 characters", () => {
  const nested = Array.from({ length: 200 }).reduce<unknown>((inner) => ({ error: inner }), "deep down");
  expect(read(nested)).toEqual({});
  expect(read({ error: "word ".repeat(1_000) }).message).toHaveLength(500);
});

test.each([
  ["as the code", { message: REASON, code: "sk-secret-key" }],
  ["as the code, with escapes", '{"message":"The model is not loaded","code":"sk\\u002dsecret\\u002dkey"}'],
  ["as the field", { message: REASON, param: "sk-secret-key" }],
  ["where long words are cut", `${"a".repeat(490)} sk-secret-key ${"b".repeat(100)}`],
  ["with escapes where long words are cut", `{"error":"${"a".repeat(490)} sk\\u002dsecret\\u002dkey"}`],
])("no part of a key %s is told", (_place, said) => {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  const told = readProviderError(text, (words) => words.replaceAll("sk-secret-key", "***"));
  expect(told.message).toBeDefined();
  expect(JSON.stringify(told)).not.toContain("sk");
});
