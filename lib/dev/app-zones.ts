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
  "project-limits": ["queries", "model-choice", "rate-limit-fields"],
  "spend-controls": ["queries", "object-page"],
  "role-form": ["queries"],
  "role-assignments": ["queries", "object-page", "role-form"],
  workbench: ["queries", "streams", "task-output"],
  "prompt-runs": ["queries", "streams", "workbench"],
};

/** The parts of `components/queries`. */
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
    ...zoneParts("components/queries", rules, QUERY_PARTS),
    ...zoneParts("app", rules, ROOMS),
    ...zoneParts("app/(console)", withRooms, Object.fromEntries(SCREENS.map((screen) => [screen, []]))),
    // The frame around all screens has the button that signs out.
    { path: "app/(console)", ...withRooms, mayImport: [...withRooms.mayImport, "app/(auth)/sign-out"] },
    { path: "app/(auth)", ...withRooms },
    { path: "app", ...withRooms },
  ];
}

/** What every folder of `components` may import. */
const PARTS = ["browser", "ui", "links", "values"];
const FIELD_LAYER = [...PARTS, "search", "dialog", "fields", "number-fields"];
const FORM_LAYER = [...FIELD_LAYER, "text", "drafts"];

/** The zones of `components`, inner first. */
export function componentZones(rules: Omit<Zone, "path">): Zone[] {
  return zoneParts("components", rules, {
    browser: [],
    ui: ["browser"],
    links: ["browser", "ui"],
    values: ["browser", "ui", "links"],
    time: PARTS,
    search: [],
    dialog: PARTS,
    text: [...PARTS, "dialog"],
    states: [...PARTS, "text"],
    menu: [...PARTS, "search", "dialog"],
    chart: [...PARTS, "time"],
    drawer: [...PARTS, "dialog"],
    fields: [...PARTS, "search", "dialog"],
    "number-fields": [...PARTS, "fields"],
    csv: [...PARTS, "fields"],
    drafts: [...FIELD_LAYER, "text"],
    session: ["dialog", "drafts"],
    form: FORM_LAYER,
    filters: [...FIELD_LAYER, "time"],
    table: [...FORM_LAYER, "time", "menu", "states", "filters"],
    shell: [...FORM_LAYER, "time", "form", "menu", "states", "session"],
  });
}
