import { expect, test } from "bun:test";
import { findRedactionFault, Redactions, TooLongToRedact } from "./redactions";

test("replaces every match of a pattern in texts, names and numbers, at any depth", () => {
  const redactions = new Redactions(["\\d{13,16}", "(?i)ada\\w*"]);
  const value = {
    Ada: [{ card: 4111111111111111, say: "ADA pays with 4111111111111111" }],
    n: 0.5,
    ok: true,
    none: null,
  };
  expect(redactions.redactValue(value)).toEqual({
    "[redacted]": [{ card: "[redacted]", say: "[redacted] pays with [redacted]" }],
    n: 0.5,
    ok: true,
    none: null,
  });
  expect(redactions.replaced).toBe(4);
});

test("a name such as __proto__ stays a field like others", () => {
  const redacted = new Redactions(["x"]).redactValue(JSON.parse('{"__proto__": {"polluted": "x"}}'));
  expect(JSON.stringify(redacted)).toBe('{"__proto__":{"polluted":"[redacted]"}}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a pattern that backtracking engines never finish takes as long as any other", () => {
  const text = `${"a".repeat(50_000)}!`;
  expect(new Redactions(["(a+)+$", "(a|aa)+$", "(.*a){25}b"]).redactText(text)).toBe(text);
});

test("does not grow a text whose replacement matches a pattern", () => {
  const redactions = new Redactions(Array.from({ length: 20 }, (_, at) => ["e", "d", "\\b"][at % 3] ?? ""));
  expect(redactions.redactText("a deed, need!")).toBe("a [redacted], n[redacted]!");
  expect(redactions.replaced).toBe(2);
});

test("a body's patterns have a time limit, and the next body has the whole of it again", () => {
  let nowMs = 0;
  const redactions = new Redactions(["x"], () => nowMs);
  redactions.begin();
  nowMs = 5_001;
  expect(() => redactions.redactText("x")).toThrow(TooLongToRedact);
  redactions.begin();
  expect(redactions.redactText("x")).toBe("[redacted]");
});

test("keys are masked without any pattern", () => {
  expect(new Redactions([]).redactText("sk-0123456789abcdefghij")).toBe("sk-***");
});

test("an invalid pattern is refused with the reason, and every other pattern is accepted", () => {
  expect(findRedactionFault("(?<=x)y")).toContain("RE2");
  expect(findRedactionFault("(x)\\1")).toContain("RE2");
  expect(findRedactionFault("[")).toContain("RE2");
  expect(findRedactionFault("x?")).toContain("empty text");
  for (const large of ["(?:a?){500}b", "(?:[a-z]{1,31}){31}Z"])
    expect(findRedactionFault(large)).toContain("too large");
  for (const fine of ["\\b\\d{3}-\\d{4}\\b", "(?i)secret", "\\p{Greek}+", "[\\w.+-]+@[\\w-]+\\.\\w+"])
    expect([fine, findRedactionFault(fine)]).toEqual([fine, null]);
});
