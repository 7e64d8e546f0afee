import { expect, test } from "bun:test";
import { providerKindNames } from "@/lib/contract/calls/provider-protocols";
import { emptyConfiguration } from "./configuration";
import { readConfiguration } from "./read-configuration";

const builtIn = { provider: "sandbox", models: ["sandbox-echo"] };

function readYaml(yaml: string, environment: Record<string, string> = {}) {
  return readConfiguration(yaml, environment, builtIn);
}

function findFaults(yaml: string): string[] {
  const result = readYaml(yaml);
  if (!("faults" in result)) throw new Error("The file was accepted");
  return result.faults;
}

test("the contract's example is read whole, its key from the environment", () => {
  const yaml = `
providers:
  - id: openai
    kind: openai            # openai-compatible
    base_url: https://api.openai.com/v1
    api_key: \${OPENAI_API_KEY}
    timeouts: { connect_seconds: 0.5, idle_seconds: 120 }
    max_concurrent_requests: 50
models:
  - id: gpt-5-mini
    family: chat
    rate: "0.2"
    price: { input_per_1m: "0.25", output_per_1m: "2.00" }
    rate_limits: { max_requests_per_1_minute: 5, max_requests_per_1_day: null }
    routes: [{ provider: openai, model: gpt-5-mini }, { provider: sandbox, model: sandbox-echo }]
defaults:
  rate_limits: { max_tokens_per_1_minute: 1000 }
retention: { request_log_days: 30, audit_log_days: null, kept_reply_hours: 0 }
`;
  expect(readYaml(yaml, { OPENAI_API_KEY: "sk-1:{x}" })).toEqual({
    configuration: {
      providers: [
        {
          id: "openai",
          kind: "openai",
          base_url: "https://api.openai.com/v1",
          api_key: "sk-1:{x}",
          timeouts: { connect_seconds: 0.5, idle_seconds: 120 },
          max_concurrent_requests: 50,
        },
      ],
      models: [
        {
          id: "gpt-5-mini",
          family: "chat",
          rate: "0.2",
          price: { input_per_1m: "0.25", output_per_1m: "2.00" },
          rate_limits: { max_requests_per_1_minute: 5, max_requests_per_1_day: null },
          routes: [
            { provider: "openai", model: "gpt-5-mini" },
            { provider: "sandbox", model: "sandbox-echo" },
          ],
        },
      ],
      defaults: { max_tokens_per_1_minute: 1000 },
      retention: { request_log_days: 30, audit_log_days: null, kept_reply_hours: 0 },
    },
  });
});

test("an empty file is read as the empty configuration", () => {
  for (const yaml of ["", "# nothing yet\n", "models: []\n"]) {
    expect(readYaml(yaml)).toEqual({ configuration: emptyConfiguration });
  }
});

test("all faults are reported together, each with its place and its correction", () => {
  const faults = findFaults(`
colour: red
providers:
  - { id: Open AI, kind: openai, base_url: "http://key@host/v1", api_key: "\${NOT_SET}" }
  - { id: sandbox, kind: openai, base_url: "http://host/v1", timeouts: { connect: 5, idle_seconds: 0, whole_answer_seconds: 3601 }, max_concurrent_requests: 0.5 }
models:
  - id: sandbox-echo
    family: chat
    rate: 0.2
    price: { input_per_1m: "1e3" }
    routes: [{ provider: nobody, model: x }]
  - { id: twice, family: chat, rate: "1", routes: [{ provider: sandbox, model: x }] }
  - { id: twice, family: film, rate: "0", routes: [] }
defaults:
  rate_limits: { max_requests_per_1_minute: null, max_requests_per_1_day: 1.5 }
retention: { request_log_days: 1, kept_reply_hours: 25, calls: 3 }
`);
  for (const fault of [
    "the file has no such field: colour",
    "providers[0].id must be 1 to 40 lower-case letters, digits and hyphens",
    "providers[0].base_url must be an address such as http://127.0.0.1:11434/v1",
    "providers[0].api_key names NOT_SET, which is not set in the environment: set it",
    'providers[1].id: "sandbox" is built in: give this one another id',
    "providers[1].max_concurrent_requests must be a whole number",
    "providers[1].timeouts has no such field: connect",
    "providers[1].timeouts.idle_seconds must be greater than 0",
    "providers[1].timeouts.whole_answer_seconds must be at most 3600: no request may take longer than an hour",
    'models[0].id: "sandbox-echo" is built in: give this one another id',
    "models[0].rate must be text: write the number in quotes",
    "models[0].price.input_per_1m must be a decimal number such as 25.00, with at most 9 decimals and at most 9000000000",
    "models[0].price.output_per_1m is required",
    'models[0].routes[0].provider: there is no provider "nobody": use one of sandbox, Open AI, sandbox, or add it under providers',
    'models[2].id: "twice" stands at models[1] already',
    'models[2].family must be "chat", "image", "video", "music", "speech", "transcription", "embedding" or "moderation"',
    "models[2].rate must be greater than 0",
    "models[2].routes must name at least one route",
    "defaults.rate_limits.max_requests_per_1_minute must be a number",
    "defaults.rate_limits.max_requests_per_1_day must be a whole number",
    "retention.request_log_days must be at least 2",
    "retention.kept_reply_hours must be at most 24",
    "retention has no such field: calls",
  ]) {
    expect(faults).toContain(fault);
  }
  expect(faults.length).toBe(23);
});

test.each([
  ["models: [", "line 1: "],
  ["models: []\nmodels: []\n", "line 2: Map keys must be unique"],
  ["models: *nowhere\n", "Unresolved alias"],
  ["just text\n", "the file must be an object"],
  ["models: {}\n", "models must be an array"],
])("an invalid configuration is refused with its place: %j", (yaml, start) => {
  const faults = findFaults(yaml);
  expect(faults.length).toBeGreaterThan(0);
  expect(faults[0]).toStartWith(start);
});

test("aliases that multiply without end are refused, not followed", () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0 ? "a0: &a0 [x]" : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`,
  );
  expect(findFaults(levels.join("\n")).join()).toContain("alias");
});

const mapping = (changes: object) =>
  JSON.stringify({
    makes: ["image"],
    submit: { path: "/jobs", body: { prompt: "{prompt}" }, id: "/id" },
    poll: { path: "/jobs/{id}", status: "/status", statuses: { succeeded: ["done"], failed: ["failed"] } },
    outputs: { url: "/url" },
    ...changes,
  });
const findApiFaults = (changes: object, more = "") =>
  findFaults(`
providers:
  - { id: frames, kind: http, base_url: "https://jobs.example", task_api: ${mapping(changes)}${more} }
`);

test("a task API is read as it is written", () => {
  const yaml = `providers: [{ id: frames, kind: http, base_url: "https://jobs.example", task_api: ${mapping({})} }]`;
  expect(readYaml(yaml)).toMatchObject({
    configuration: {
      providers: [{ kind: "http", task_api: { makes: ["image"], outputs: { url: "/url" } } }],
    },
  });
});

test.each<[string, object]>([
  ["makes must name at least one of image, video and music", { makes: [] }],
  [
    "submit.body must contain {seconds}: video models are charged by the second",
    { makes: ["image", "video"] },
  ],
  ["submit.body must contain {prompt}", { submit: { path: "/jobs", body: {}, id: "/id" } }],
  [
    "submit.body.input[0].text names {promt}, which has no value here: use {model}, {prompt}",
    { submit: { path: "/jobs", body: { prompt: "{prompt}", input: [{ text: "{promt}" }] }, id: "/id" } },
  ],
  [
    'submit.body.... must be "{parameters}"',
    { submit: { path: "/jobs", body: { prompt: "{prompt}", "...": "{prompt}" }, id: "/id" } },
  ],
  [
    "submit.path names {prompt}, which has no value here: use {model}, {task_id}",
    { submit: { path: "/jobs/{prompt}", body: { prompt: "{prompt}" }, id: "/id" } },
  ],
  [
    "submit.headers.Host is set by the gateway: leave it out",
    { submit: { path: "/jobs", headers: { Host: "x" }, body: { prompt: "{prompt}" }, id: "/id" } },
  ],
  ["headers.X-A must be printable ASCII characters on one line", { headers: { "X-A": "a\r\nb" } }],
  [
    "submit.id is required: the poll needs the task's id",
    { submit: { path: "/jobs", body: { p: "{prompt}" } } },
  ],
  [
    "submit.id must be a JSON pointer such as /data/0/url",
    { submit: { path: "/jobs", body: { p: "{prompt}" }, id: "$.id" } },
  ],
  ["outputs must have exactly one of url, base64 and path", { outputs: { url: "/url", base64: "/b" } }],
  ["outputs must have exactly one of url, base64 and path", { outputs: {} }],
  [
    "outputs must have list, or {position} in path: submit.body orders {count} files",
    { submit: { path: "/jobs", body: { p: "{prompt}", n: "{count}" }, id: "/id" } },
  ],
  ["cancel.path must contain {id}", { cancel: { path: "/cancel" } }],
  ["cancel.path must have no # and no segments . or ..", { cancel: { path: "/{id}/../x" } }],
  ["poll.path must begin with / and have no spaces", { poll: { ...buildPoll(["done"]), path: "jobs/{id}" } }],
  ["poll.statuses.succeeded must name at least one value", { poll: buildPoll([]) }],
  ['poll.statuses names "failed" for two states', { poll: buildPoll(["failed"]) }],
  ["outputs must be base64 without poll", { poll: undefined }],
  [
    "authentication needs a key to send: add api_key",
    { authentication: { header: "X-Key", value: "{api_key}" } },
  ],
  ["authentication.value must contain {api_key}", { authentication: { header: "X-Key", value: "key" } }],
  ["timeout_seconds must be at most 120", { timeout_seconds: 121 }],
])("a fault of a task API is named with its place: %s", (fault, changes) => {
  const faults = findApiFaults(changes).filter((line) => line.startsWith(`providers[0].task_api.${fault}`));
  expect(faults).toHaveLength(1);
});

test("a task API has no webhook", () => {
  expect(findApiFaults({ webhook: "https://x" })).toEqual([
    "providers[0].task_api has no such field: webhook",
  ]);
});

function buildPoll(succeeded: string[]) {
  return { path: "/jobs/{id}", status: "/status", statuses: { succeeded, failed: ["failed"] } };
}

test("a provider with a task API has none of the settings of calls, and no models of other families", () => {
  expect(findApiFaults({}, ", max_concurrent_requests: 5")).toEqual([
    "providers[0] has no such field: max_concurrent_requests",
  ]);
  const [fault, ...more] = findFaults("providers: [{ id: x, kind: https, base_url: 'https://x.example' }]");
  expect(more).toEqual([]);
  const allowedKinds = providerKindNames.filter((name) => name !== "sandbox");
  expect([...(fault ?? "").matchAll(/"\w+"/g)].map(([kind]) => kind)).toEqual(
    allowedKinds.map((name) => JSON.stringify(name)),
  );
  expect(
    findFaults(`
providers:
  - { id: frames, kind: http, base_url: "https://jobs.example", task_api: ${mapping({})} }
models:
  - { id: talker, family: chat, rate: "1", price: { input_per_1m: "1", output_per_1m: "1" }, routes: [{ provider: frames, model: x }] }
`),
  ).toEqual([
    'models[0].routes[0].provider: "frames" makes image, not chat: use another provider, or another family',
  ]);
});
