import { type Zone, zoneParts } from "@/lib/dev/checks/zone";

/** What the screens share, each with the rooms below it that it may import. */
const ROOMS = {
  queries: [],
  streams: ["queries"],
  filters: ["queries"],
  "object-page": ["queries"],
  "model-choice": ["queries"],
  "rate-limit-fields": [],
  "task-output": [],
  "stored-files": ["queries"],
  "audit-events": [],
  "usage-figures": [],
  "request-log": ["rate-limit-fields"],
  ledger: ["queries", "usage-figures"],
  "key-form": ["queries", "model-choice"],
  "project-keys": ["queries", "key-form"],
  "project-limits": ["queries", "rate-limit-fields"],
  "spend-controls": ["queries", "object-page"],
  "role-form": ["queries"],
  "role-assignments": ["queries", "object-page", "role-form"],
  workbench: ["queries", "streams", "task-output"],
  "prompt-runs": ["queries", "streams", "workbench"],
};

/** The parts of `app/queries`. */
const QUERY_PARTS = {
  session: [],
  reads: ["session"],
  actions: ["reads"],
  states: ["reads"],
  exports: ["reads"],
};

/** Screens don't import each other: what two share is in a room. */
const SCREENS = [
  "(overview)",
  "account",
  "admin-keys",
  "audit-logs",
  "balance",
  "batches",
  "calculator",
  "files",
  "groups",
  "health",
  "keys",
  "members",
  "models",
  "payments",
  "playground",
  "projects",
  "prompts",
  "rate-limits",
  "reconcile",
  "requests",
  "roles",
  "spend-limits",
  "statements",
  "tasks",
  "usage",
];

/** The zones of `app`, inner first: rooms that screens share, then screens. `rules` is what all of `app` may import. */
export function appZones(rules: Omit<Zone, "path">): Zone[] {
  const withRooms = {
    ...rules,
    mayImport: [...rules.mayImport, "app/*", ...Object.keys(ROOMS).map((room) => `app/${room}`)],
  };
  return [
    ...zoneParts("app/queries", rules, QUERY_PARTS),
    ...zoneParts("app", rules, ROOMS),
    ...zoneParts("app/(console)", withRooms, Object.fromEntries(SCREENS.map((screen) => [screen, []]))),
    // The frame around all screens has the button that signs out.
    { path: "app/(console)", ...withRooms, mayImport: [...withRooms.mayImport, "app/(auth)/sign-out"] },
    { path: "app/(auth)", ...withRooms },
    { path: "app", ...withRooms },
  ];
}

const FORM_LAYER = ["ui", "values", "dialog", "text", "fields", "drafts"];

/** The zones of `components`, inner first. */
export function componentZones(rules: Omit<Zone, "path">): Zone[] {
  return zoneParts("components", rules, {
    ui: [],
    values: ["ui"],
    time: ["ui"],
    search: [],
    dialog: ["ui", "values"],
    text: ["ui", "values", "dialog"],
    states: ["ui", "values", "text"],
    menu: ["ui", "values", "search", "dialog"],
    chart: ["ui", "values", "time"],
    fields: ["ui", "values", "search", "dialog"],
    drafts: ["ui", "values", "dialog", "text", "fields"],
    session: ["dialog"],
    form: FORM_LAYER,
    table: [...FORM_LAYER, "time", "menu", "states"],
    shell: [...FORM_LAYER, "time", "search", "form", "menu", "states", "session"],
  });
}
