import { readdirSync } from "node:fs";
import type { Zone } from "@/lib/dev/checks/zone";
import { zoneParts } from "@/lib/dev/checks/zone";

const SHARED = ["lib/contract", "lib/money"];
/** Code for Node.js and the browser uses neither Bun nor the gateway's libraries. */
const GATEWAY_PACKAGES = [
  "bun",
  "bun:",
  "@noble/ciphers",
  "hono",
  "kysely",
  "nodemailer",
  "openid-client",
  "otpauth",
  "pg",
  "scim2-parse-filter",
];

/** The gateway's folders, lowest first. A folder imports those of the lines above it, not its neighbors in its line. */
const GATEWAY_LAYERS = [
  [
    "clock",
    "scope",
    "unix-seconds",
    "claim-times",
    "request-headers",
    "regular-expression",
    "lists",
    "object-version",
  ],
  ["secrets", "configuration"],
  ["refusal"],
  ["database"],
  ["changes", "http"],
  ["files", "idempotency", "models", "projects", "roles"],
  ["keys", "ledger", "people", "prompts", "providers"],
  ["access", "log"],
  ["rate-limits", "sign-in"],
  ["access-requests", "access-reviews", "configuration-plans", "directory", "reporting", "tasks"],
  ["calls", "doctor"],
  ["batches"],
  ["routes"],
  ["gateway"],
];

/** The files that put together what all folders store: the schema, its migrator, and how the database is opened. */
const DATABASE_SETUP = ["schema", "migrate", "migrate-postgres", "data-folder", "store-head"];

/** The folders of `components`, lowest first, read as those of the gateway. `ui` knows no gateway. */
const COMPONENT_LAYERS = [
  ["ui"],
  ["session"],
  ["shell"],
  ["queries"],
  ["audit-log", "configuration", "filters", "models", "object-page", "tasks", "usage"],
  ["keys", "money", "playground", "rate-limits", "roles"],
  ["access-requests", "prompts", "requests"],
];
/** What knows no gateway, its session or its client. */
const WITHOUT_GATEWAY = ["ui", "session", "shell"];

/** The addresses of the screens, which the shell leads to as well, and its choice if no single project is chosen. */
const ADDRESSES = ["lib/console/paths", "lib/console/every-project"];

const CONSOLE = {
  mayImport: [...SHARED, "lib/secret", "lib/client-address", "lib/line-budget"],
  refusedPackages: GATEWAY_PACKAGES,
};
/** The session of the browser, which the gateway's client sends. */
const SESSION = ["session", "role-view", "seal-session", "seal", "device", "cookie-name"].map(
  (file) => `sign-in/${file}`,
);
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

/** A zone for each folder of `layers`, which may import the layers before its own, and `mayImport`. */
function layerZones(parent: string, layers: string[][], rules: Omit<Zone, "path">): Zone[] {
  const below: string[] = [];
  return layers.flatMap((layer) => {
    const mayImport = [...rules.mayImport, ...below];
    below.push(...layer.map((name) => `${parent}/${name}`));
    return layer.map((name) => ({ ...rules, path: `${parent}/${name}`, mayImport }));
  });
}

const SCREENS = readdirSync("app/(console)", { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Each folder of `app/(console)` is a zone: screens don't import each other, and share what is in `components`. */
function screenZones(rules: Omit<Zone, "path">): Zone[] {
  return SCREENS.map(({ name }) => ({
    ...rules,
    path: `app/(console)/${name}`,
    mayImport: [...rules.mayImport, "app/(console)/*"],
  }));
}

/** The screens of a project: their addresses are below the project's, and what they show is in the screen's folder. */
const PROJECT_SCREENS = {
  batches: "batches",
  files: "files",
  keys: "keys",
  limits: "rate-limits",
  playground: "playground",
  prompts: "prompts",
  roles: "roles",
  spend: "spend-limits",
  tasks: "tasks",
};

const COMPONENTS = { mayImport: [...SHARED, ...ADDRESSES], refusedPackages: GATEWAY_PACKAGES };
const APP = {
  mayImport: [...SHARED, "lib/console", "components", "app/*"],
  refusedPackages: GATEWAY_PACKAGES,
};
/** The queries of every folder are typed by the schema, which lists the tables of all of them. */
const SCHEMA = "lib/gateway/database/schema";
const GATEWAY = { mayImport: [...SHARED, "lib/client-address", "lib/durability", SCHEMA] };
const BELOW_ROUTES = GATEWAY_LAYERS.slice(0, -2)
  .flat()
  .map((name) => `lib/gateway/${name}`);

/** Which folder may import which. A file in no zone is a fault, so a new folder has to be placed here. */
export const ZONES: Zone[] = [
  { path: "lib/money", mayImport: [], packages: [] },
  { path: "lib/durability", mayImport: [], packages: ["node:"] },
  { path: "lib/secret", mayImport: ["lib/durability"], packages: ["node:"] },
  { path: "lib/client-address", mayImport: [], packages: ["node:"] },
  { path: "lib/line-budget", mayImport: [], packages: [] },
  { path: "lib/contract", mayImport: [], packages: ["zod"] },
  { path: "lib/plan", mayImport: ["lib/contract"], packages: ["node:"] },

  { path: "lib/gateway/testing", mayImport: ["lib/dev/find-free-ports"] },
  ...layerZones("lib/gateway", GATEWAY_LAYERS, GATEWAY),
  ...DATABASE_SETUP.map((name) => ({
    path: `lib/gateway/database/${name}`,
    mayImport: [...GATEWAY.mayImport, ...BELOW_ROUTES],
  })),
  // The simulator and the composition root reach everything beside them.
  { path: "lib/gateway/simulation", mayImport: [...GATEWAY.mayImport, ...BELOW_ROUTES] },
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
  ...ADDRESSES.map((path) => ({ path, mayImport: ["lib/contract/path-segment"], packages: [] })),
  { path: "lib/console", ...CONSOLE, mayImport: [...CONSOLE.mayImport, ...ADDRESSES] },
  ...layerZones("components", COMPONENT_LAYERS, COMPONENTS).map((zone) =>
    WITHOUT_GATEWAY.some((name) => zone.path === `components/${name}`)
      ? zone
      : { ...zone, mayImport: [...zone.mayImport, "lib/console"] },
  ),
  ...screenZones(APP),
  ...Object.entries(PROJECT_SCREENS).map(([address, screen]) => ({
    ...APP,
    path: `app/(console)/projects/[id]/${address}`,
    mayImport: [...APP.mayImport, `app/(console)/${screen}`],
  })),
  // The frame around all screens has the button that signs out.
  { path: "app/(console)", ...APP, mayImport: [...APP.mayImport, "app/(auth)/sign-out"] },
  { path: "app", ...APP },

  { path: "lib/dev", mayImport: ["lib"] },
  { path: "lib/deploy", mayImport: ["lib"] },
  { path: "e2e", mayImport: ["lib"] },
  // Configuration files at the root.
  { path: "", mayImport: ["lib/dev", "lib/console"] },
];

/**
 * What several tests share is in a folder of this name beside the code that they test. It may import what a test may,
 * and only tests and the programs that test import it.
 */
export const TEST_SUPPORT = "testing";
export const TESTING_PROGRAMS = ["lib/gateway/simulation", "lib/dev/test-run", "e2e"];

/** A test may set up real stores and neighbors: anything of `lib`, besides what its own zone may import. */
export const TESTS_MAY_IMPORT = ["lib"];
