import { afterAll, beforeAll, expect, test } from "bun:test";
import { catchRefusal } from "../../support/clients/official-client";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";
import { organizationCalls } from "../../support/operations/official-admin-calls";
import type { OfficialCalls, Organization } from "../../support/operations/official-call";
import { projectCalls } from "../../support/operations/official-project-calls";

let staffed: Awaited<ReturnType<typeof serveStaffedGateway>>;
let organization: Organization;
beforeAll(async () => {
  staffed = await serveStaffedGateway();
  organization = staffed.client.admin.organization;
});
afterAll(() => staffed.gateway.close());

type Method = (...parameters: unknown[]) => PromiseLike<unknown>;

/** All methods of a resource and its subresources, by path: `projects.apiKeys.update`. */
function listMethods(resource: object, way: readonly string[] = []): [string, Method][] {
  const prototype: Record<string, unknown> = Object.getPrototypeOf(resource);
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  const below = Object.entries(resource).filter(
    ([name, value]) => !name.startsWith("_") && value !== null && typeof value === "object",
  );
  return [
    ...own.map((name): [string, Method] => [
      [...way, name].join("."),
      (prototype[name] as Method).bind(resource),
    ]),
    ...below.flatMap(([name, value]) => listMethods(value as object, [...way, name])),
  ];
}

const id = "none_1";
const body = {};
const since = { start_time: 1_700_000_000 };
const ofProvider = { workload_identity_provider_id: id };
const crud = { create: [body], retrieve: [id], list: [], delete: [id] };
const resources = {
  usage: {
    codeInterpreterSessions: [since],
    decisions: [since],
    fileSearchCalls: [since],
    vectorStores: [since],
    webSearchCalls: [since],
  },
  dataRetention: { retrieve: [], update: [body] },
  externalKeys: { ...crud, validate: [id] },
  externalStorage: { ...crud, validate: [id] },
  workloadIdentityProviders: { ...crud, update: [id, body] },
  "workloadIdentityProviders.federationRules": {
    create: [id, body],
    retrieve: [id, ofProvider],
    update: [id, ofProvider],
    list: [id],
    delete: [id, ofProvider],
  },
  certificates: { ...crud, update: [id, body], activate: [body], deactivate: [body] },
  "projects.serviceTierSettings": { retrieve: [id], update: [id, body] },
  "projects.hostedToolPermissions": { retrieve: [id], update: [id, body] },
  "projects.dataRetention": { retrieve: [id], update: [id, body] },
  "projects.certificates": { list: [id], activate: [id, body], deactivate: [id, body] },
};

/** Methods without an operation in this gateway, with their arguments. */
const absent = new Map<string, readonly unknown[]>(
  Object.entries(resources).flatMap(([way, methods]) =>
    Object.entries(methods).map(([name, parameters]) => [`${way}.${name}`, parameters]),
  ),
);

function presentCalls(): OfficialCalls {
  const { projectId, groupId, members } = staffed;
  const scene = { organization, projectId, groupId, userId: members.ada.id };
  return { ...projectCalls(scene), ...organizationCalls(scene) };
}

test("each admin method of the official SDK is either answered here or known to be absent", () => {
  const known = [...Object.keys(presentCalls()), ...absent.keys()];
  expect(known.toSorted()).toEqual(
    listMethods(organization)
      .map(([name]) => name)
      .toSorted(),
  );
});

test("each method whose operation this gateway has is answered in the form that the SDK declares", async () => {
  const calls = Object.entries(presentCalls());
  const misfits: unknown[] = [];
  for (const [name, [call, shape]] of calls) {
    try {
      expect(await call()).toMatchObject(shape);
    } catch (fault) {
      misfits.push(`${name}: ${fault}`);
    }
  }
  expect(misfits).toEqual([]);
});

test("each method without an operation gets an unknown-path error", async () => {
  const methods = new Map(listMethods(organization));
  for (const [name, parameters] of absent) {
    const { status, code } = await catchRefusal(methods.get(name)?.(...parameters) ?? Promise.resolve());
    expect([name, status, code]).toEqual([name, 404, "path_not_found"]);
  }
});
