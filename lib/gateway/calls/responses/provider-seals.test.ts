import { expect, test } from "bun:test";
import { findMaker, markSealed, readProviderSeal } from "./pass-on-response";

const mark = (text: string) => Buffer.from(markSealed(Buffer.from(text), "0a1b")).toString();

test.each([
  ['{"encrypted_content":"abc"}', '{"encrypted_content":"gh2_0a1b_abc"}'],
  ['{"encrypted_content" :\n "é","n":1}', '{"encrypted_content" :\n "gh2_0a1b_é","n":1}'],
  [
    '[{"encrypted_content":"a"},{"encrypted_content":"b"}]',
    '[{"encrypted_content":"gh2_0a1b_a"},{"encrypted_content":"gh2_0a1b_b"}]',
  ],
])("%s names the account that encrypted it", (given, marked) => {
  expect(mark(given)).toBe(marked);
  expect(() => JSON.parse(marked)).not.toThrow();
});

test.each([
  '{"encrypted_content":null}',
  '{"encrypted_content":""}',
  '{"encrypted_content":{"type":"string"}}',
  '{"text":"\\"encrypted_content\\":\\"abc\\""}',
  '["encrypted_content","abc"]',
  '{"encrypted_content"',
  '{"encrypted_content":',
])("%s stays as it is", (given) => expect(mark(given)).toBe(given));

test("what was encrypted is read with its account, and nothing else is", () => {
  expect(readProviderSeal("gh2_0a1b_gAAAA_b")).toEqual({ account: "0a1b", content: "gAAAA_b" });
  for (const other of ["gAAAA", "gh2_", "gh2_xyz_a", "gh1_0a1b_a", null, 7, `gh2_${"0".repeat(99)}_a`])
    expect(readProviderSeal(other)).toBeNull();
});

test("a conversation belongs to who made the last of what is sealed", () => {
  const items = ["gh2_0a_x", "gh2_0b_x", "of another gateway"].map((encrypted_content) => ({
    encrypted_content,
  }));
  expect(findMaker([...items, { role: "user" }])).toBe("0b");
  for (const none of ["Hi", [], [null, "text", { role: "user" }], undefined])
    expect(findMaker(none)).toBeNull();
});
