import { appZones, componentZones } from "@/lib/dev/app-zones";
import { type Zone, zoneParts } from "@/lib/dev/checks/zone";

const SHARED = ["lib/contract", "lib/money"];
/** What every folder of the gateway may import. */
const COMMON = [
  ...SHARED,
  "lib/client-address",
  "lib/gateway/effects",
  "lib/gateway/incoming-request",
  "lib/gateway/refusal",
  "lib/gateway/regular-expression",
  "lib/gateway/scope",
  "lib/gateway/unix-seconds",
  "lib/gateway/claim-times",
  "lib/gateway/secrets",
  "lib/gateway/lists",
  "lib/gateway/files",
  "lib/gateway/http/outbound",
];

/** Rules as verbs. Domains don't import each other, except for `audit` and `SHARED_DOMAINS`. */
export const DOMAINS = [
  "rate-limits",
  "balance",
  "roles",
  "keys",
  "projects",
  "idempotency",
  "members",
  "models",
  "usage",
  "requests",
  "conversations",
  "prompts",
  "audit",
  "callbacks",
  "tasks",
  "files",
  "batches",
  "configuration",
].map((noun) => `lib/gateway/${noun}`);

/** Every domain that makes changes needs these. */
const CHANGES = ["lib/gateway/changes", "lib/gateway/changes/audit"];

/** What any domain may need: permissions, projects, and what a repeated request gets. */
const SHARED_DOMAINS = ["lib/gateway/roles", "lib/gateway/projects", "lib/gateway/idempotency"];

const ACCESS_LAYER = [
  ...COMMON,
  ...DOMAINS,
  "lib/gateway/changes",
  "lib/gateway/access",
  "lib/gateway/sign-in",
  "lib/gateway/rate-limits",
];
const CALL_LAYER = [...ACCESS_LAYER, "lib/gateway/http", "lib/gateway/providers", "lib/gateway/calls"];
const WORKER_LAYER = [...CALL_LAYER, "lib/gateway/tasks", "lib/gateway/batches", "lib/gateway/calls"];

const CALL_PATH = { mayImport: [...ACCESS_LAYER, "lib/gateway/http", "lib/gateway/providers"] };
const COMPLETION_PARTS = zoneParts("lib/gateway/calls", CALL_PATH, {
  usage: [],
  anthropic: ["usage"],
  bodies: [],
  recordings: [],
  requests: ["anthropic", "bodies", "recordings"],
  upstream: [],
  replies: ["bodies", "anthropic", "upstream", "usage"],
  holds: ["requests"],
  receipts: ["requests", "upstream"],
  answers: ["bodies", "requests", "upstream", "usage", "replies", "holds", "receipts"],
});

/** Routes of one area don't import those of another, except for the files named here. */
const ROUTE_PARTS = zoneParts(
  "lib/gateway/routes",
  { mayImport: WORKER_LAYER },
  {
    audit: [],
    calls: ["money/describe-entry"],
    keys: [],
    models: [],
    money: [],
    people: [],
    playground: [],
    projects: ["people/roles"],
    search: [],
    "sign-in": [],
    tasks: [],
    usage: [],
  },
);

const BALANCE = { mayImport: [...COMMON, ...CHANGES, ...SHARED_DOMAINS] };
/** What `funds.ts` stores, so below all others. */
const POSTINGS = ["payments/pending-payment", "payments/posting", "payments/duplicate-payments"];
const BALANCE_PARTS = zoneParts("lib/gateway/ledger", BALANCE, {
  ...Object.fromEntries(POSTINGS.map((part) => [part, POSTINGS])),
  ledger: POSTINGS,
  payments: [...POSTINGS, "ledger/ledger-reader"],
  "spend-limits": [],
  statements: POSTINGS,
});

/** Code for Node.js and the browser uses neither Bun nor the gateway's libraries. */
const GATEWAY_PACKAGES = ["bun", "bun:", "better-auth", "hono", "kysely", "nodemailer", "pg"];

const CONSOLE = {
  mayImport: [...SHARED, "lib/secret", "lib/client-address", "lib/line-budget"],
  refusedPackages: GATEWAY_PACKAGES,
};
/** The addresses of the screens, which the shell leads to as well. */
const PATHS = "lib/console/paths";
/** The choice in the shell if no single project is chosen. */
const EVERY_PROJECT = "lib/console/every-project";
/** The session of the browser, which the gateway's client sends. */
const SESSION = ["session", "seal-session", "seal", "device", "cookie-name"].map((file) => `sign-in/${file}`);
/** The answers in progress, which end with their session. */
const STREAMS = "streaming/running-streams";
/** The client that calls the gateway as the signed-in person. */
const CLIENT = ["gateway/gateway-client", "gateway/browser-headers"];
const repeatArrows = (parts: string[], mayImport: string[]) =>
  Object.fromEntries(parts.map((part) => [part, mayImport]));
const CONSOLE_PARTS = zoneParts("lib/console", CONSOLE, {
  gateway: [],
  [STREAMS]: [],
  ...repeatArrows(SESSION, ["gateway", STREAMS, ...SESSION]),
  ...repeatArrows(CLIENT, ["gateway", ...SESSION, ...CLIENT]),
  actions: ["gateway", ...SESSION],
  "sign-in": ["gateway", ...SESSION],
  reads: ["gateway", ...SESSION],
  streaming: ["gateway", STREAMS, ...SESSION],
  snippets: ["streaming"],
});

/**
 * Which folder may import which: `contract ← domains ← access ← sign-in ← routes ← gateway ← main → store`,
 * `domains ← admission ← completions ← media ← calls ← routes` and `contract ← lib/console ← app → components`.
 * A file in no zone is a fault, so a new folder has to be placed here.
 */
export const ZONES: Zone[] = [
  { path: "lib/money", mayImport: [], packages: [] },
  { path: "lib/durability", mayImport: [], packages: ["node:"] },
  { path: "lib/secret", mayImport: ["lib/durability"], packages: ["node:"] },
  { path: "lib/client-address", mayImport: [], packages: ["node:"] },
  { path: "lib/line-budget", mayImport: [], packages: [] },
  { path: "lib/contract", mayImport: [], packages: ["zod"] },

  { path: "lib/gateway/testing", mayImport: [] },
  { path: "lib/gateway/secrets", mayImport: SHARED },
  { path: "lib/gateway/lists", mayImport: SHARED },
  { path: "lib/gateway/files", mayImport: [] },
  { path: "lib/gateway/effects", mayImport: [] },
  { path: "lib/gateway/refusal", mayImport: [...SHARED, "lib/gateway/secrets"] },
  { path: "lib/gateway/regular-expression", mayImport: [], packages: ["re2js"] },
  { path: "lib/gateway/scope", mayImport: [], packages: [] },
  { path: "lib/gateway/unix-seconds", mayImport: [], packages: [] },
  { path: "lib/gateway/claim-times", mayImport: ["lib/contract"], packages: [] },
  { path: "lib/gateway/http/outbound", mayImport: [], packages: ["node:", "bun"] },
  { path: "lib/gateway/incoming-request", mayImport: [], packages: [] },
  { path: "lib/gateway/http", mayImport: COMMON },
  { path: "lib/gateway/http/server", mayImport: [...COMMON, "lib/gateway/http"] },
  { path: "lib/gateway/changes", mayImport: [...COMMON, "lib/gateway/changes/audit"] },
  ...BALANCE_PARTS,
  {
    path: "lib/gateway/ledger",
    mayImport: [...BALANCE.mayImport, ...POSTINGS.map((part) => `lib/gateway/ledger/${part}`)],
  },
  ...DOMAINS.filter((path) => path !== "lib/gateway/ledger").map((path) => ({
    path,
    mayImport: [...COMMON, ...CHANGES, ...SHARED_DOMAINS],
  })),
  { path: "lib/gateway/access", mayImport: [...COMMON, ...DOMAINS, ...CHANGES] },
  { path: "lib/gateway/sign-in", mayImport: [...COMMON, ...DOMAINS, ...CHANGES, "lib/gateway/access"] },
  { path: "lib/gateway/rate-limits", mayImport: [...COMMON, ...DOMAINS] },
  { path: "lib/gateway/providers", mayImport: [...COMMON, "lib/gateway/http"] },
  { path: "lib/gateway/files/bucket", mayImport: COMMON, packages: ["node:"] },
  ...COMPLETION_PARTS,
  {
    path: "lib/gateway/calls",
    mayImport: [...ACCESS_LAYER, "lib/gateway/http", "lib/gateway/providers", "lib/gateway/calls"],
  },
  { path: "lib/gateway/tasks", mayImport: CALL_LAYER },
  { path: "lib/gateway/calls", mayImport: [...CALL_LAYER, "lib/gateway/tasks"] },
  { path: "lib/gateway/batches", mayImport: CALL_LAYER },
  { path: "lib/gateway/log/telemetry", mayImport: [...COMMON, ...DOMAINS, "lib/gateway/http"] },
  ...ROUTE_PARTS,
  { path: "lib/gateway/routes", mayImport: WORKER_LAYER },
  { path: "lib/gateway/routes/reference", mayImport: [...COMMON, "lib/gateway/http"] },
  {
    path: "lib/gateway/gateway",
    mayImport: [...WORKER_LAYER, "lib/gateway/routes", "lib/gateway/routes/reference"],
  },
  {
    path: "lib/gateway/database",
    mayImport: [
      ...COMMON,
      ...DOMAINS,
      ...CHANGES,
      "lib/gateway/access",
      "lib/gateway/sign-in",
      "lib/durability",
    ],
  },
  { path: "lib/gateway/sign-in/better-auth", mayImport: [...COMMON, ...CHANGES, "lib/gateway/sign-in"] },
  {
    path: "lib/gateway/simulation",
    mayImport: [
      ...CALL_LAYER,
      "lib/gateway/database",
      "lib/gateway/simulation/tasks",
      "lib/gateway/simulation/batches",
    ],
  },
  ...["batches", "tasks"].map((part) => ({
    path: `lib/gateway/simulation/${part}`,
    mayImport: [...WORKER_LAYER, "lib/gateway/database", "lib/gateway/simulation", "lib/gateway/doctor"],
  })),
  {
    path: "lib/gateway/doctor",
    mayImport: [...COMMON, ...DOMAINS, "lib/gateway/database", "lib/gateway/files/bucket", "lib/durability"],
  },
  {
    path: "lib/gateway/main",
    mayImport: [
      ...SHARED,
      "lib/gateway",
      "lib/secret",
      "lib/durability",
      "lib/client-address",
      "lib/line-budget",
    ],
  },

  ...CONSOLE_PARTS,
  { path: PATHS, mayImport: ["lib/contract/path-segment"], packages: [] },
  { path: EVERY_PROJECT, mayImport: [], packages: [] },
  { path: "lib/console", ...CONSOLE, mayImport: [...CONSOLE.mayImport, PATHS, EVERY_PROJECT] },
  ...appZones({ mayImport: [...SHARED, "lib/console", "components"], refusedPackages: GATEWAY_PACKAGES }),
  ...componentZones({ mayImport: [...SHARED, PATHS, EVERY_PROJECT], refusedPackages: GATEWAY_PACKAGES }),

  { path: "lib/dev", mayImport: ["lib"] },
  { path: "e2e", mayImport: ["lib"] },
  // Configuration files at the root.
  { path: "", mayImport: ["lib/dev", "lib/console"] },
];

/**
 * What several tests share is in a folder of this name beside the code that they test. It may import what a test may,
 * and only tests and the programs that test import it.
 */
export const TEST_SUPPORT = "testing";
export const TESTING_PROGRAMS = ["lib/gateway/simulation", "e2e"];

/** A test may set up real stores and neighbors: anything of `lib`, besides what its own zone may import. */
export const TESTS_MAY_IMPORT = ["lib"];
