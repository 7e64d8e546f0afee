import { expect, test } from "bun:test";
import { restoreWorkbench } from "../conversations/restore-workbench";
import { toContent } from "../conversations/saved-content";
import { type Message, newCallState } from "../messages/message";
import { cutForAnswer, newPane } from "../panes/pane";
import { defaultSettings } from "../settings";
import { newWorkbench, type Workbench } from "../workbench";
import { fillWorkbench, freezeValues, listUnfilled, listWorkbenchVariables } from "./fill-workbench";

const written = (text: string): Message => ({ id: text, role: "user", text });

function buildWorkbench(messages: readonly Message[], more: Partial<Workbench> = {}): Workbench {
  const workbench = newWorkbench("m", { instruction: "Answer in {{language}}." });
  return { ...workbench, panes: [{ ...newPane("m"), messages }], ...more };
}

const listTexts = (workbench: Workbench | null) => workbench?.panes[0]?.messages.map(({ text }) => text);

test("what people wrote is filled in; what a model wrote stays, and its braces are no variables", () => {
  const answer: Message = {
    id: "a",
    role: "assistant",
    text: "Use {{name}} here",
    call: newCallState("m", {}),
  };
  const prefilled: Message = { id: "p", role: "assistant", text: "Dear {{ name }}" };
  const variables = { name: "Ada", language: "French", other: "unused" };
  const workbench = buildWorkbench([written("Greet {{name}}"), answer, prefilled], {
    variables,
    draft: "And {{missing}} of {{name}}",
  });
  expect(listWorkbenchVariables(workbench)).toEqual(["language", "name", "missing"]);
  const filled = fillWorkbench(workbench);
  expect(listTexts(filled)).toEqual(["Greet Ada", "Use {{name}} here", "Dear Ada"]);
  expect(filled?.shared.instruction).toBe("Answer in French.");
  expect(filled?.draft).toBe("And {{missing}} of Ada");
  expect(listTexts(workbench)).toEqual(["Greet {{name}}", "Use {{name}} here", "Dear {{ name }}"]);
});

test("values that contain braces, each other or a replacement pattern are sent as they are", () => {
  const variables = { a: "{{b}}", b: "$& {{a}} {{", constructor: "$1" };
  const workbench = buildWorkbench([written("{{a}}|{{b}}|{{constructor}}|{{toString}}")], { variables });
  expect(listTexts(fillWorkbench(workbench))).toEqual(["{{b}}|$& {{a}} {{|$1|{{toString}}"]);
});

test("a pane's own instruction is filled in too", () => {
  const own = { ...defaultSettings, instruction: "Be {{mood}}." };
  const workbench = buildWorkbench([written("Hi")], { variables: { mood: "brief" } });
  const filled = fillWorkbench({ ...workbench, panes: [{ ...newPane("m"), own }] });
  expect(filled?.panes[0]?.own?.instruction).toBe("Be brief.");
});

test("a long value that is named many times isn't built", () => {
  const workbench = buildWorkbench([written("{{x}}".repeat(1_000))], {
    variables: { x: "x".repeat(20_000) },
  });
  expect(fillWorkbench(workbench)).toBeNull();
  expect(fillWorkbench({ ...workbench, variables: { x: "short" } })).not.toBeNull();
});

test("values are saved with the conversation", () => {
  const variables = { name: "Ada", empty: "" };
  const content = toContent(buildWorkbench([written("{{name}}")], { variables }));
  expect(restoreWorkbench(content ?? {})?.variables).toEqual(variables);
});

test("a sent message keeps the values that it was sent with, until it is asked again", () => {
  const answer: Message = { id: "a", role: "assistant", text: "Hi", call: newCallState("m", {}) };
  const [pane] = buildWorkbench([written("Greet {{name}}"), answer, written("And {{name}}")]).panes;
  const sent = freezeValues(
    { ...(pane as typeof pane & object), messages: pane?.messages.slice(0, 2) ?? [] },
    { name: "Ada" },
  );
  const now = buildWorkbench([...sent.messages, written("And {{name}}")], { variables: { name: "Grace" } });
  expect(listTexts(fillWorkbench(now))).toEqual(["Greet Ada", "Hi", "And Grace"]);
  const again = cutForAnswer(now.panes[0] ?? sent, "a");
  expect(listTexts(fillWorkbench({ ...now, panes: [again] }))).toEqual(["Greet Grace"]);
  const later = { ...answer, id: "b" };
  const whole = {
    ...sent,
    messages: [
      ...sent.messages,
      ...freezeValues(now.panes[0] ?? sent, { name: "Grace" }).messages.slice(2),
      later,
    ],
  };
  const last = cutForAnswer(whole, "b");
  expect(listTexts(fillWorkbench({ ...now, variables: { name: "Lin" }, panes: [last] }))).toEqual([
    "Greet Ada",
    "Hi",
    "And Lin",
  ]);
});

test("variables without a value are those of what is sent next, once each", () => {
  const sent = { ...written("Greet {{name}}"), values: {} };
  const workbench = buildWorkbench([sent, written("And {{other}}")], { draft: "{{other}} {{draft}}" });
  expect(listUnfilled(workbench)).toEqual(["language", "other", "draft"]);
  expect(listUnfilled({ ...workbench, variables: { language: "French", other: "x", draft: "y" } })).toEqual(
    [],
  );
});
