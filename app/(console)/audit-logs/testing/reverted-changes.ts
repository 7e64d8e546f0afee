// The changes that revert-event.test.ts makes and reverts.

/** Paths have the names of ids that the test knows: {project}, {group}, {user}, and {first} for what `first` made. */
export const project = "/organization/projects/{project}";
export const alert = (cents: number) => ({
  currency: "USD",
  interval: "month",
  threshold_amount: cents,
  notification_channel: { type: "email", recipients: ["finance@example.com"], subject_prefix: "Spend" },
});
export const limit = (cents: number) => ({ currency: "USD", interval: "month", threshold_amount: cents });
const price = (input: string) => ({ price: { input_per_1m: input, output_per_1m: "9" } });
const audio = (input: string) => ({ audio_price: { input_per_1m: input, output_per_1m: "80" } });
const cachedPrice = (cached: string) => ({
  price: {
    ...price("5").price,
    cached_input_per_1m: cached,
    long_context_from: 200_000,
    long_context: { input_per_1m: cached },
  },
});
const byImage = { unit_price: { unit: "image", amount: "0.5", qualities: { hd: "0.75" } } };
const byTokens = { ...price("5"), ...audio("6") };
const freeTokens = { price: { input_per_1m: "0", output_per_1m: "0" } };
const byMinute = { unit_price: { unit: "minute", amount: "0.01" } };
const FAR_FUTURE = 4_102_444_800;

export type Change = readonly [method: string, path: string, body?: object];
interface RevertedChange {
  readonly what: string;
  /** The read whose answer must be as it was. */
  readonly state: string;
  readonly first?: Change;
  readonly change: Change;
}

const limits = `${project}/rate_limits/rl_sandbox-echo`;
/** A change of every kind that can be reverted, in an order in which each one is possible. */
export const revertedChanges: readonly RevertedChange[] = [
  { what: "first limits", state: limits, change: ["POST", limits, { max_requests_per_1_minute: 7 }] },
  { what: "limits", state: limits, change: ["POST", limits, { max_tokens_per_1_minute: 8 }] },
  {
    what: "a first price",
    state: "/organization/models/sandbox-echo",
    change: ["POST", "/organization/models/sandbox-echo", price("3")],
  },
  {
    what: "a rate",
    state: "/organization/models/sandbox-echo",
    change: ["POST", "/organization/models/sandbox-echo", { rate: "0.3" }],
  },
  ...[
    { what: "a first batch rate", prices: { batch_rate: "0.1" } },
    { what: "a first price of audio", prices: audio("40") },
    { what: "a first price of cached input", prices: cachedPrice("5") },
    { what: "the prices of cached input and of a long context", prices: cachedPrice("0.5") },
    { what: "an input price, and the removal of that of cached input", prices: price("3") },
    { what: "a batch rate and a price of audio", prices: { batch_rate: "0.2", ...audio("41") } },
    { what: "the removal of a batch rate", prices: { batch_rate: null } },
    { what: "the removal of a price of audio", prices: { audio_price: null } },
  ].map(({ what, prices }): RevertedChange => {
    const path = "/organization/models/sandbox-chat";
    const isFirst = what.startsWith("a first");
    const first = ["POST", path, { batch_rate: "0.15", ...audio("32"), ...cachedPrice("0.6") }] as const;
    return { what, state: path, ...(!isFirst && { first }), change: ["POST", path, prices] };
  }),
  ...[
    { what: "a first price by tokens of a model priced by time", first: null, prices: byTokens },
    { what: "a price by time of a model priced by tokens", first: byTokens, prices: byMinute },
    { what: "free tokens of a model priced by time", first: byMinute, prices: freeTokens },
    { what: "a price by time of a model with free tokens", first: freeTokens, prices: byMinute },
  ].map(({ what, first, prices }): RevertedChange => {
    const path = "/organization/models/sandbox-transcribe";
    return {
      what,
      state: path,
      ...(first && { first: ["POST", path, first] }),
      change: ["POST", path, prices],
    };
  }),
  {
    what: "a first price by the unit",
    state: "/organization/models/sandbox-image",
    change: ["POST", "/organization/models/sandbox-image", byImage],
  },
  {
    what: "a scheduled price",
    state: "/organization/models/sandbox-chat/scheduled_prices",
    change: [
      "POST",
      "/organization/models/sandbox-chat/scheduled_prices",
      { effective_at: FAR_FUTURE, ...price("4") },
    ],
  },
  ...[
    {
      what: "sets",
      model: "sandbox-chat",
      prices: { batch_rate: "0.1", ...audio("40"), ...cachedPrice("1") },
    },
    { what: "removes", model: "sandbox-echo", prices: { batch_rate: null, audio_price: null } },
  ].map(({ what, model, prices }): RevertedChange => {
    const path = `/organization/models/${model}/scheduled_prices`;
    return {
      what: `the deletion of a scheduled price that ${what} a batch rate and a price of audio`,
      state: path,
      first: ["POST", path, { effective_at: FAR_FUTURE + 60, ...prices }],
      change: ["DELETE", `${path}/{first}`],
    };
  }),
  {
    what: "the deletion of a scheduled price",
    state: "/organization/models/sandbox-image/scheduled_prices",
    first: [
      "POST",
      "/organization/models/sandbox-image/scheduled_prices",
      { effective_at: FAR_FUTURE, rate: "0.7", ...byImage },
    ],
    change: ["DELETE", "/organization/models/sandbox-image/scheduled_prices/{first}"],
  },
  { what: "a project's name", state: project, change: ["POST", project, { name: "Other" }] },
  {
    what: "a group's name",
    state: "/organization/groups/{group}",
    change: ["POST", "/organization/groups/{group}", { name: "Others" }],
  },
  {
    what: "a member of a group",
    state: "/organization/groups/{group}/users",
    change: ["POST", "/organization/groups/{group}/users", { user_id: "{user}" }],
  },
  {
    what: "a member's role",
    state: "/organization/users/{user}",
    change: ["POST", "/organization/users/{user}", { role: "role_admin" }],
  },
  {
    what: "a member's note",
    state: "/organization/users/{user}",
    change: ["POST", "/organization/users/{user}", { technical_level: "expert" }],
  },
  {
    what: "a member added to a project",
    state: `${project}/users`,
    change: ["POST", `${project}/users`, { user_id: "{user}", role: "member" }],
  },
  {
    what: "a member's role in a project",
    state: `${project}/users`,
    first: ["POST", `${project}/users`, { user_id: "{user}", role: "member" }],
    change: ["POST", `${project}/users/{user}`, { role: "owner" }],
  },
  {
    what: "a member removed from a project",
    state: `${project}/users`,
    change: ["DELETE", `${project}/users/{user}`],
  },
  {
    what: "a group added to a project",
    state: `${project}/groups`,
    change: ["POST", `${project}/groups`, { group_id: "{group}", role: "viewer" }],
  },
  {
    what: "a role's permissions",
    state: "/organization/roles/{first}",
    first: ["POST", "/organization/roles", { role_name: "Auditors", permissions: ["api.models.read"] }],
    change: ["POST", "/organization/roles/{first}", { permissions: ["api.audit_logs.read"] }],
  },
  {
    what: "first settings of prompts and answers",
    state: `${project}/body_settings`,
    change: [
      "POST",
      `${project}/body_settings`,
      { mode: "whole", retention_days: 7, redactions: ["[0-9]{16}", "secret"] },
    ],
  },
  {
    what: "first allowed models",
    state: `${project}/model_permissions`,
    change: ["POST", `${project}/model_permissions`, { mode: "allow_list", model_ids: ["sandbox-echo"] }],
  },
  {
    what: "removed allowed models",
    state: `${project}/model_permissions`,
    first: ["POST", `${project}/model_permissions`, { mode: "deny_list", model_ids: ["sandbox-echo"] }],
    change: ["DELETE", `${project}/model_permissions`],
  },
  ...[
    { whose: "the organization's", path: "/organization" },
    { whose: "a project's", path: project },
  ].flatMap(({ whose, path }): RevertedChange[] => [
    {
      what: `${whose} first spend limit`,
      state: `${path}/spend_limit`,
      change: ["POST", `${path}/spend_limit`, limit(500)],
    },
    {
      what: `${whose} changed spend limit`,
      state: `${path}/spend_limit`,
      first: ["POST", `${path}/spend_limit`, limit(500)],
      change: ["POST", `${path}/spend_limit`, limit(900)],
    },
    {
      what: `${whose} removed spend limit`,
      state: `${path}/spend_limit`,
      change: ["DELETE", `${path}/spend_limit`],
    },
    {
      what: `${whose} first spend alert`,
      state: `${path}/spend_alerts`,
      change: ["POST", `${path}/spend_alerts`, alert(100)],
    },
    {
      what: `${whose} changed spend alert`,
      state: `${path}/spend_alerts`,
      first: ["POST", `${path}/spend_alerts`, alert(100)],
      change: ["POST", `${path}/spend_alerts/{first}`, alert(300)],
    },
    {
      what: `${whose} deleted spend alert`,
      state: `${path}/spend_alerts`,
      first: ["POST", `${path}/spend_alerts`, alert(200)],
      change: ["DELETE", `${path}/spend_alerts/{first}`],
    },
  ]),
];
