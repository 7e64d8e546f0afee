import { decodeSegment } from "@/lib/contract/path-segment";
import {
  type AccessContext,
  type AccessRequirement,
  authorizeAgain,
  checkAccessAmongMany,
  noteRefusal,
} from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { buildChangeRequest, type ChangeRequestContext } from "../../access/change-request";
import type { ChangeRequest } from "../../changes/change";
import {
  changeDirectoryGroup,
  createDirectoryGroup,
  listMembers,
  removeDirectoryGroup,
  toScimGroup,
} from "../../directory/directory-groups";
import {
  changeDirectoryUser,
  createDirectoryUser,
  type DirectoryContext,
  removeDirectoryUser,
  toScimUser,
} from "../../directory/directory-users";
import { readFilter } from "../../directory/scim-filter";
import {
  groupSchema,
  type ScimAttribute,
  ScimRefusal,
  type ScimResource,
  type ScimSchema,
  selectAttributes,
  userSchema,
} from "../../directory/scim-schema";
import { type BodyReader, joinPieces } from "../../http/body-reader";
import { parseJsonObject } from "../../http/json";
import { noSniffing, respondWithJson } from "../../http/response";
import type { RequestContext } from "../../http/server";
import { findGroup } from "../../people/groups";
import { findUser } from "../../people/members";
import { notFound, Refusal } from "../../refusal";

export const DIRECTORY_PATH = "/scim/v2";

/** A group of 50,000 members fits. */
const bodyBounds = { bytes: 8 * 1024 * 1024, entries: 400_000 };

export interface DirectoryRouteContext extends AccessContext, ChangeRequestContext, DirectoryContext {
  readonly bodyReader: BodyReader;
  readonly catchUp: (() => Promise<void>) | null;
}

/** A request of a directory for a resource, or for the list of them. */
interface Asked {
  readonly schema: ScimSchema;
  /** Null for the list. */
  readonly id: string | null;
  readonly query: URLSearchParams;
  readonly baseUrl: string;
}

interface Changing {
  readonly body: ScimResource;
  readonly request: ChangeRequest;
  readonly caller: Caller;
}

/** Answers a directory such as Okta or Entra over SCIM 2.0 (RFC 7644). */
export async function answerDirectory(
  context: DirectoryRouteContext,
  requestContext: RequestContext,
  path: string,
): Promise<Response> {
  const { request, requestId } = requestContext;
  const requirement = requirementOf(request.method);
  const asked = { operation: requirement, params: {} };
  const caller = (await checkAccessAmongMany(context, requestContext, asked)) as Caller;
  try {
    const response = await answer(context, requestContext, path, requirement);
    response.headers.set("x-request-id", requestId);
    return response;
  } catch (error) {
    noteRefusal(context, requestContext, { ...asked, caller }, error);
    throw error;
  }
}

function requirementOf(method: string): AccessRequirement {
  return {
    id: "answerDirectory",
    method: method === "GET" ? "GET" : "POST",
    path: DIRECTORY_PATH,
    permission: "api.directory.write",
    scope: "organization",
  };
}

async function answer(
  context: DirectoryRouteContext,
  requestContext: RequestContext,
  path: string,
  requirement: AccessRequirement,
): Promise<Response> {
  const { request, url } = requestContext;
  const { method } = request;
  const baseUrl = `${url.origin}${DIRECTORY_PATH}`;
  const [kind = "", text, ...rest] = path
    .slice(DIRECTORY_PATH.length + 1)
    .replace(/\/$/, "")
    .split("/");
  const id = text ? (decodeSegment(text) ?? text) : null;
  if (rest.length > 0) throw notFound("SCIM resource", path.slice(0, 200), "path");
  const description = method === "GET" ? findDescription(kind, id, baseUrl) : null;
  if (description) return respond(description);
  const schema = [userSchema, groupSchema].find((one) => one.path === `/${kind}`);
  if (!schema) throw notFound("SCIM resource", path.slice(0, 200), "path");
  const asked: Asked = { schema, id, query: url.searchParams, baseUrl };
  if (method === "GET")
    return asked.id === null ? listAll(context, asked) : respondWith(context, asked, asked.id);
  const perform = findChange(method, asked);
  if (!perform) throw notAllowed(method, asked);
  const body = method === "DELETE" ? {} : await readBody(context, requestContext);
  // A body may have taken a while to arrive.
  const caller = authorizeAgain(context, request.headers, requirement) as Caller;
  const change = buildChangeRequest(context, requirement, {
    requestId: requestContext.requestId,
    caller,
    headers: request.headers,
    address: requestContext.address(),
    params: {},
    eventType: events[schema.name][method === "PUT" ? "PATCH" : method],
  });
  return perform(context, { body, request: change, caller });
}

/** The types of audit events by what is changed, and how. */
const events: Readonly<Record<ScimSchema["name"], Readonly<Record<string, string>>>> = {
  User: { POST: "user.added", PATCH: "user.updated", DELETE: "user.deleted" },
  Group: { POST: "group.created", PATCH: "group.updated", DELETE: "group.deleted" },
};

type Perform = (context: DirectoryRouteContext, changing: Changing) => Promise<Response>;

/** What a method does to the list or to one resource; null if nothing. */
function findChange(method: string, asked: Asked): Perform | null {
  const { schema, id } = asked;
  const isUser = schema === userSchema;
  if (id === null) {
    if (method !== "POST") return null;
    const create = isUser ? createDirectoryUser : createDirectoryGroup;
    return async (context, { body, request, caller }) => {
      const created = await create(context, request, caller, body);
      return respondWith(context, asked, created.id, 201);
    };
  }
  if (method === "DELETE") {
    const remove = isUser ? removeDirectoryUser : removeDirectoryGroup;
    return async (context, { request, caller }) => {
      await remove(context, request, caller, id);
      return new Response(null, { status: 204, headers: noSniffing });
    };
  }
  if (method !== "PUT" && method !== "PATCH") return null;
  const changeResource = isUser ? changeDirectoryUser : changeDirectoryGroup;
  return async (context, { body, request, caller }) => {
    await changeResource(context, request, caller, { id, body, isPatch: method === "PATCH" });
    return respondWith(context, asked, id);
  };
}

async function readBody(
  { bodyReader }: DirectoryRouteContext,
  requestContext: RequestContext,
): Promise<ScimResource> {
  const pieces = await bodyReader.read(requestContext, bodyBounds.bytes);
  return parseJsonObject(joinPieces(pieces), bodyBounds).value;
}

/** All resources of a kind, oldest first, as SCIM shows them. */
function listResources(context: DirectoryRouteContext, { schema, baseUrl }: Asked): (() => ScimResource)[] {
  const { userCache, groupCache, graph } = context;
  if (schema === userSchema) return userCache.list().map((user) => () => toScimUser(context, user, baseUrl));
  const membersOf = listMembers(graph);
  return groupCache.list().map((group) => () => toScimGroup(context, group, membersOf, baseUrl));
}

function listAll(context: DirectoryRouteContext, asked: Asked): Response {
  const { schema, query } = asked;
  const filter = query.get("filter");
  const resources = listResources(context, asked);
  const isFit = filter === null ? null : readFilter(schema, filter);
  const fitting = isFit ? resources.filter((show) => isFit(show())) : resources;
  const startIndex = Math.max(readNumber(query, "startIndex", 1), 1);
  const count = Math.min(Math.max(readNumber(query, "count", 100), 0), MAX_RESULTS);
  const page = fitting.slice(startIndex - 1, startIndex - 1 + count);
  return respond({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: fitting.length,
    startIndex,
    itemsPerPage: page.length,
    Resources: page.map((show) => select(asked, show())),
  });
}

/** @throws ScimRefusal for anything but a whole number. */
function readNumber(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name);
  if (text === null || text === "") return usual;
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimRefusal("invalidValue", `${name} must be a whole number.`);
  return Number(text);
}

function respondWith(context: DirectoryRouteContext, asked: Asked, id: string, status = 200): Response {
  const { schema, baseUrl } = asked;
  const { userCache, groupCache, graph } = context;
  const resource =
    schema === userSchema
      ? toScimUser(context, findUser(userCache, id, "id"), baseUrl)
      : toScimGroup(context, findGroup(groupCache, id), listMembers(graph), baseUrl);
  const location = `${baseUrl}${schema.path}/${id}`;
  return respond(select(asked, resource), { status, headers: { location } });
}

function select({ schema, query }: Asked, resource: ScimResource): ScimResource {
  const [attributes, excluded] = [query.get("attributes"), query.get("excludedAttributes")];
  return attributes || excluded
    ? selectAttributes(schema, resource, { attributes: attributes || null, excluded })
    : resource;
}

const scimHeaders = {
  "content-type": "application/scim+json;charset=utf-8",
  "cache-control": "no-store",
  ...noSniffing,
};

function respond(
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return respondWithJson(value, { status, headers: { ...scimHeaders, ...headers } });
}

/** A refusal in SCIM's form (RFC 7644, 3.12). */
export function answerDirectoryRefusal(refusal: Refusal, requestId: string): Response {
  const { status, details } = refusal;
  const { message } = refusal.body(requestId).error;
  const scimType = findScimType(refusal);
  const value = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message,
  };
  return respond(value, { status, headers: { ...details.headers, "x-request-id": requestId } });
}

function findScimType(refusal: Refusal): string | null {
  if (refusal instanceof ScimRefusal) return refusal.scimType;
  if (refusal.code === "already_exists") return "uniqueness";
  return refusal.code === "invalid_json" ? "invalidSyntax" : null;
}

function notAllowed(method: string, { id }: Asked): Refusal {
  const allow = id === null ? "GET, POST" : "GET, PUT, PATCH, DELETE";
  const message = `This address does not answer ${method}; use ${allow}.`;
  return new Refusal(405, "invalid_request_error", "method_not_allowed", message, { headers: { allow } });
}

/** The most resources on one page. */
const MAX_RESULTS = 500;

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const schemas = [userSchema, groupSchema];

/**
 * What SCIM lets a directory ask about this server (RFC 7644, section 4); null for another address.
 * @throws Refusal 404 for an unknown schema or resource type.
 */
function findDescription(kind: string, id: string | null, baseUrl: string): object | null {
  if (kind === "ServiceProviderConfig") return describeProvider(baseUrl);
  if (kind === "Schemas")
    return listOrOne(
      schemas.map((schema) => describeSchema(schema, baseUrl)),
      id,
    );
  if (kind === "ResourceTypes")
    return listOrOne(
      schemas.map((schema) => describeType(schema, baseUrl)),
      id,
    );
  return null;
}

function listOrOne(described: readonly { readonly id: string }[], id: string | null): object {
  if (id === null) {
    return {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      totalResults: described.length,
      startIndex: 1,
      itemsPerPage: described.length,
      Resources: described,
    };
  }
  const found = described.find((one) => one.id === id);
  if (!found) throw notFound("description of", id.slice(0, 200), "id");
  return found;
}

function describeProvider(baseUrl: string) {
  const unsupported = { supported: false };
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: unsupported,
    sort: unsupported,
    etag: unsupported,
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A token that an administrator creates in the console, under Directory.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
  };
}

function describeType({ id: schema, name, path, description }: ScimSchema, baseUrl: string) {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: path,
    description,
    schema,
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${name}` },
  };
}

/** The attributes that every resource has are not part of its schema (RFC 7643, 3.1). */
const COMMON = ["id", "externalId", "meta"];

function describeSchema({ id, name, description, attributes }: ScimSchema, baseUrl: string) {
  return {
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes: attributes.filter((one) => !COMMON.includes(one.name)).map(describeAttribute),
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${id}` },
  };
}

function describeAttribute(attribute: ScimAttribute): object {
  const { name, type, description, parts } = attribute;
  return {
    name,
    type,
    multiValued: attribute.isList ?? false,
    description,
    required: attribute.isRequired ?? false,
    ...(type === "string" && { caseExact: attribute.isExact ?? false }),
    mutability: attribute.isReadOnly ? "readOnly" : "readWrite",
    returned: "default",
    uniqueness: attribute.isUnique ? "server" : "none",
    ...(type === "reference" && { referenceTypes: ["User", "Group"], caseExact: true }),
    ...(parts && { subAttributes: parts.map(describeAttribute) }),
  };
}
