import { groupSchema, type ScimAttribute, type ScimSchema, userSchema } from "../../directory/scim-schema";
import { notFound } from "../../refusal";

/** The most resources on one page. */
export const MAX_RESULTS = 500;

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const schemas = [userSchema, groupSchema];

/**
 * What SCIM lets a directory ask about this server (RFC 7644, section 4); null for another address.
 * @throws Refusal 404 for an unknown schema or resource type.
 */
export function findDescription(kind: string, id: string | null, baseUrl: string): object | null {
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
