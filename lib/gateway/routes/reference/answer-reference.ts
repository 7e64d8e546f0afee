import { html, raw } from "hono/html";
import { type Permission, permissionCatalogue, permissions } from "@/lib/contract/access/permissions";
import { type PredefinedRole, predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { allows } from "@/lib/contract/access-table";
import type { Operation } from "@/lib/contract/operation";
import { respondWithText } from "../../http/response";
import type { RequestContext } from "../../http/server";
import { openApiDocument } from "./open-api";
import { frameReference, type Html, type ReferencePath, referencePolicy } from "./reference-frame";
import { groupOperations, type OperationGroup, renderOperationsPage } from "./render-operations-page";

type Answer = (requestContext: Pick<RequestContext, "url">) => Promise<Response>;

/** A placeholder for the base address in the prebuilt pages. No valid host contains it. */
const BASE_URL = "base-url:";

/** The API reference, generated from the operation table: two HTML pages and an OpenAPI document. */
export function createReferenceAnswers(): Record<ReferencePath | "/openapi.json", Answer> {
  const pages = {
    "/docs": once(() => renderOperationsPage(BASE_URL)),
    "/docs/access": once(renderAccessPage),
  };
  const answer =
    (page: () => Promise<string>): Answer =>
    async ({ url }) =>
      answerPage((await page()).replaceAll(BASE_URL, escapeHost(readBaseUrl(url))));
  const document = once(() => JSON.stringify(openApiDocument(BASE_URL)));
  return {
    "/docs": answer(pages["/docs"]),
    "/docs/access": answer(pages["/docs/access"]),
    "/openapi.json": async ({ url }) =>
      answerDocument(document().replaceAll(BASE_URL, JSON.stringify(readBaseUrl(url)).slice(1, -1))),
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function readBaseUrl(url: URL): string {
  return new URL("/v1", url).href;
}

/** The host is taken from a request header, so it is escaped. */
function escapeHost(url: string): string {
  return url.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function answerDocument(document: string): Response {
  return respondWithText(document, { headers: { "content-type": "application/json;charset=utf-8" } });
}

function answerPage(page: string): Response {
  return respondWithText(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": referencePolicy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
    },
  });
}

/** A table of all permissions and operations by predefined role. */
function renderAccessPage(): Promise<string> {
  return frameReference({
    path: "/docs/access",
    title: "Permissions and roles",
    contents: [
      { id: "roles", heading: "Predefined roles" },
      { id: "permissions", heading: "Permissions" },
      { id: "operations", heading: "Operations" },
    ],
    main: html`${renderRoleSection()}${renderPermissionSection()}${renderOperationSection()}`,
  });
}

function renderRoleSection(): Html {
  return html`<section id="roles" aria-labelledby="roles-heading"><h2 id="roles-heading">Predefined roles</h2>
<p>A member’s permissions are those of all roles held directly and through groups, in the organization and in the project. A key holds one role: an admin key one of the organization’s, a project key <em>Project member</em> or <em>Project owner</em>.</p>
<dl>${predefinedRoles.map(
    ({ id, name, description }) =>
      html`<div><dt>${name} <code>${id}</code></dt><dd>${description}</dd></div>`,
  )}</dl></section>`;
}

function renderPermissionSection(): Html {
  const row = (name: Permission) => html`<tr data-entry="${name} ${permissionCatalogue[name]}">
<th scope="row"><code>${name}</code><span>${permissionCatalogue[name]}</span></th>
${predefinedRoles.map((role) => html`<td>${mark(role.permissions.includes(name) ? "yes" : "no")}</td>`)}</tr>`;
  return html`<section id="permissions" aria-labelledby="permissions-heading" data-group>
<h2 id="permissions-heading">Permissions</h2>
<p>What each permission allows, and which predefined roles hold it. A project’s roles count in their project alone.</p>
${renderMatrix("Permission", html`<tbody>${permissions.map(row)}</tbody>`)}</section>`;
}

function renderOperationSection(): Html {
  return html`<section id="operations" aria-labelledby="operations-heading" data-group>
<h2 id="operations-heading">Operations</h2>
<p>Which operations each role alone lets its holder into: in the whole organization, or, for a project’s role, in its project. Where a cell says <em>keys</em> or <em>people</em>, the other kind of caller is refused.</p>
${renderMatrix("Operation", html`${groupOperations().map(renderOperationRows)}`)}</section>`;
}

function renderOperationRows({ heading, operations }: OperationGroup): Html {
  const row = (operation: Operation) => {
    const { id, method, path, permission } = operation;
    const named = typeof permission === "string" ? permission : permission.open;
    return html`<tr data-entry="${[id, method, path, named].join(" ")}">
<th scope="row"><a href="/docs#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></a><span><code>${named}</code></span></th>
${predefinedRoles.map((role) => html`<td>${mark(describeAccess(role, operation))}</td>`)}</tr>`;
  };
  return html`<tbody data-group><tr class="group"><th scope="rowgroup" colspan="${predefinedRoles.length + 1}">${heading}</th></tr>
${operations.map(row)}</tbody>`;
}

/** One word for a cell: some operations need different permissions from programs and people. */
function describeAccess(role: PredefinedRole, operation: Operation): "yes" | "no" | "keys" | "people" {
  const [key, person] = [allows(role, operation, "key"), allows(role, operation, "person")];
  if (key && person) return "yes";
  if (key) return "keys";
  return person ? "people" : "no";
}

function renderMatrix(heading: string, body: Html): Html {
  return html`<div class="scroll matrix" tabindex="0" role="region" aria-label="${heading}s by role"><table>
<thead><tr><th scope="col">${heading}</th>${predefinedRoles.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
${body}</table></div>`;
}

function mark(cell: ReturnType<typeof describeAccess>): Html {
  if (cell === "keys" || cell === "people") return html`<span class="yes">${cell}</span>`;
  const sign = cell === "yes" ? "✓" : "–";
  return html`<span class="${cell}" ${raw('aria-hidden="true"')}>${sign}</span><span class="spoken">${cell}</span>`;
}
