import { expect, test } from "bun:test";
import { createProblem } from "@/lib/console/gateway/problem";
import { conversationDraft } from "@/lib/contract/operations/playground/conversations";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { type CallState, type Message, newCallState, type ToolCall } from "../messages/message";
import type { Pane } from "../panes/pane";
import { defaultSettings } from "../settings";
import { markStopped, newWorkbench, type Workbench } from "../workbench";
import { titleCopy } from "./open-conversation";
import { restoreWorkbench } from "./restore-workbench";
import { hashContent, isBlank, toContent, toTitle } from "./saved-content";

const task: Task = {
  id: "task_1",
  object: "task",
  model: "m",
  status: "running",
  created: 1,
  request_id: "req_1",
  project_id: "proj_1",
  family: "image",
  progress: null,
  started_at: 1,
  ended_at: null,
  cancel_requested: false,
  provider_state: "known",
  usage: null,
  error: null,
  output: [],
};

const said = (text: string): Workbench => {
  const workbench = newWorkbench("m");
  const [pane] = workbench.panes;
  if (!pane) throw new Error("a pane");
  const call = {
    ...newCallState("m", { model: "m" }),
    reply: { status: 200, headers: [], body: "x", isCut: false },
  };
  const messages = [
    { id: "1", role: "user" as const, text },
    { id: "2", role: "assistant" as const, text: "yes", call },
  ];
  return { ...workbench, panes: [{ ...pane, messages }] };
};

test("restores a saved conversation without its raw requests and replies", () => {
  const workbench = said("Why?");
  const back = restoreWorkbench(JSON.parse(JSON.stringify(toContent(workbench))));
  expect(back?.panes[0]?.messages[0]).toEqual(workbench.panes[0]?.messages[0] as never);
  expect(back?.panes[0]?.messages[1]?.call).toMatchObject({ request: null, reply: null, model: "m" });
});

test("a conversation keeps its API, and one saved before responses asks for no summary", () => {
  const workbench = newWorkbench("m", { endpoint: "responses", reasoning_summary: "auto" });
  const saved = JSON.parse(JSON.stringify(toContent(workbench)));
  expect(restoreWorkbench(saved)?.shared).toEqual(workbench.shared);
  delete saved.shared.reasoning_summary;
  expect(restoreWorkbench(saved)?.shared.reasoning_summary).toBe("");
});

test("a call is saved under the name that conversations saved long ago have", () => {
  const saved = JSON.parse(JSON.stringify(toContent(said("Why?"))));
  expect(saved.panes[0].messages[1].run.model).toBe("m");
  saved.panes[0].messages[1].run.state = "finished";
  expect(restoreWorkbench(saved)?.panes[0]?.messages[1]?.call?.state).toBe("finished");
});

test("whether calls keep running is saved under the name that conversations saved long ago have", () => {
  for (const keepsRunning of [true, false]) {
    const saved = JSON.parse(JSON.stringify(toContent({ ...said("Why?"), keepsRunning })));
    expect(saved.goesOn).toBe(keepsRunning);
    expect(restoreWorkbench(saved)?.keepsRunning).toBe(keepsRunning);
  }
});

/** Every field that a message can have, so that a new one is saved, restored and hashed, too. */
const whole: Required<Message> & { call: Required<CallState> } = {
  id: "1",
  role: "assistant",
  text: "yes",
  values: { name: "Ada" },
  thinking: "Is it?",
  attachments: [
    { name: "a.png", kind: "image", mimeType: "image/png", data: "AAAA", seconds: 2, detail: "low" },
  ],
  textAt: 1,
  toolCalls: [{ id: "call_1", name: "look", arguments: "{}", index: 0 }],
  items: [{ type: "reasoning", summary: [], encrypted_content: "x" }],
  toolCallId: "call_1",
  output: { kind: "task", task: { ...task, status: "succeeded" } },
  call: {
    model: "m",
    state: "finished",
    requestId: "req_1",
    loweredTo: 8,
    usage: { promptTokens: 1, completionTokens: 2 },
    finishReason: "stop",
    firstWordMs: 1,
    totalMs: 2,
    problem: createProblem("unreachable", "No gateway answers."),
    charge: { amount: "0.01", currency: "EUR" },
    request: { model: "m" },
    reply: { status: 200, headers: [], body: "x", isCut: false },
    schema: '{"type":"object"}',
    keptAs: { name: "conv_12345678/answer", endpoint: "messages" },
  },
};

test("a restored conversation is the one that was saved, whatever is in it", () => {
  const workbench: Required<Workbench> = {
    panes: [
      { id: "p", model: "m", width: 2, own: defaultSettings, messages: [whole], options: { size: "64x64" } },
    ],
    shared: { ...defaultSettings, temperature: "1" },
    draft: "half a thou",
    returned: "before",
    variables: { b: "2", a: "1" },
    promptId: "prompt_1",
    runAs: { id: "key_1", name: "production" },
    keepsRunning: true,
  };
  const back = restoreWorkbench(JSON.parse(JSON.stringify(toContent(workbench))));
  const { index: _, ...toolCall } = whole.toolCalls[0] as ToolCall;
  const problem = createProblem("failed", "No gateway answers.");
  const call = { ...whole.call, request: null, reply: null, problem };
  const [pane] = workbench.panes;
  expect(back).toEqual({
    ...workbench,
    panes: [{ ...(pane as Pane), messages: [{ ...whole, toolCalls: [toolCall], call }] }],
  });
  expect(hashContent(back as Workbench)).toBe(hashContent(workbench));
  const retold = { ...workbench, panes: [{ ...(pane as Pane), messages: [{ ...whole, text: "no" }] }] };
  expect(hashContent(retold)).not.toBe(hashContent(workbench));
});

test("does not save an oversized conversation, nor open one of another form", () => {
  expect(toContent(said("x".repeat(2_000_000)))).toBeNull();
  expect(restoreWorkbench({ format: 2 })).toBeNull();
  expect(restoreWorkbench({ format: 1, panes: [] })).toBeNull();
  const saved = JSON.parse(JSON.stringify(toContent(said("x"))));
  saved.panes[0].messages[0].attachments = [
    { name: "a", kind: "image", mimeType: "image/png", data: 'x"), url("https://other.example' },
  ];
  expect(restoreWorkbench(saved)).toBeNull();
});

const running = (progress: number | null): Workbench => {
  const workbench = said("A house");
  const [pane] = workbench.panes;
  const [first, second] = pane?.messages ?? [];
  if (!pane || !first || !second?.call) throw new Error("two messages");
  const output = { kind: "task" as const, task: { ...task, progress } };
  const made: Message = { ...second, text: "", output, call: { ...second.call, state: "answering" } };
  return { ...workbench, panes: [{ ...pane, messages: [first, made], options: { size: "64x64" } }] };
};

test("a saved task is restored with its pane's options, and its progress doesn't count as an edit", () => {
  const back = restoreWorkbench(JSON.parse(JSON.stringify(toContent(running(10)))));
  expect(back?.panes[0]).toMatchObject({ options: { size: "64x64" } });
  expect(back?.panes[0]?.messages[1]?.output).toMatchObject({ kind: "task", task: { id: "task_1" } });
  expect(back && markStopped(back).panes[0]?.messages[1]?.call?.state).toBe("answering");
  const [one, other] = [running(10), running(90)];
  expect(hashContent({ ...other, panes: [{ ...other.panes[0], id: one.panes[0]?.id } as never] })).toBe(
    hashContent(one),
  );
});

test("audio that is too large to be saved leaves its size behind, and never keeps the rest from being saved", () => {
  const workbench = said("Speak");
  const [pane] = workbench.panes;
  if (!pane) throw new Error("a pane");
  const output = {
    kind: "speech" as const,
    mimeType: "audio/wav",
    bytes: 3_000_000,
    data: "A".repeat(4_000_000),
  };
  const messages = pane.messages.map((one) => (one.call ? { ...one, output } : one));
  const back = restoreWorkbench(toContent({ ...workbench, panes: [{ ...pane, messages }] }) ?? {});
  expect(back?.panes[0]?.messages[1]?.output).toEqual({ ...output, data: "" });
});

test("a shared conversation can't name a task by an address", () => {
  const saved = JSON.parse(JSON.stringify(toContent(running(null))));
  saved.panes[0].messages[1].output.task.id = "../../organization/payments";
  expect(restoreWorkbench(saved)).toBeNull();
});

test("a conversation is named by what it begins with", () => {
  expect(toTitle(said("  two\nlines "))).toBe("two lines");
  expect(toTitle({ ...newWorkbench("m"), draft: "half a thou" })).toBe("half a thou");
  expect(toTitle(said("\u202aC:\\Users\\ada\\report.docx: summarize it"))).toBe(
    "C:\\Users\\ada\\report.docx: summarize it",
  );
  expect(toTitle(said("\u200b"))).toBe("Untitled conversation");
  const { title } = conversationDraft.shape;
  for (const text of ["🙂".repeat(90), "\u2068+49 170 1\u2069", "a".repeat(69) + "🙂🙂"]) {
    expect(title.safeParse(toTitle(said(text))).success).toBe(true);
    expect(title.safeParse(titleCopy(toTitle(said(text)), said(text))).success).toBe(true);
  }
  expect(isBlank(newWorkbench("m"))).toBe(true);
  expect(isBlank(said("a"))).toBe(false);
});
