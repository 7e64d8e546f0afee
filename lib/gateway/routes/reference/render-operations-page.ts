import { html } from "hono/html";
import type { Operation } from "@/lib/contract/operation";
import { findMediaType } from "@/lib/contract/raw-reply";
import { buildExampleCurl } from "./build-example";
import { describeBodyBounds } from "./describe-body-bounds";
import { describeRequirements } from "./describe-requirements";
import { groupOperations, type OperationGroup } from "./group-operations";
import { listFields } from "./list-fields";
import { frameReference, type Html } from "./reference-frame";
import { toJsonSchema } from "./to-json-schema";

/**
 * A page of all operations, each with method, path, permission, description, fields and a command to copy. `baseUrl`
 * ends in `/v1`.
 */
export function renderOperationsPage(baseUrl: string): Promise<string> {
  const groups = groupOperations();
  return frameReference({
    path: "/docs",
    title: "Operations",
    contents: groups,
    main: html`${renderIntroduction(baseUrl)}${groups.map((group) => renderSection(group, baseUrl))}`,
  });
}

function renderIntroduction(baseUrl: string): Html {
  return html`<p>The base address is <code>${baseUrl}</code>. Paths below <code>/organization</code> and <code>/projects</code> are answered without <code>/v1</code> too.
Send the key as <code>Authorization: Bearer …</code>, or as <code>x-api-key</code> or <code>api-key</code>.</p>
<p>A call to a model is made in the key’s own project. A caller of the whole organization, or a person with a session, names the project in the header <code>OpenAI-Project</code>.</p>
<p>What is refused answers <code>{"error": {"message", "type", "code", "param"}}</code>, and every reply carries <code>x-request-id</code>.</p>`;
}

function renderSection({ id, heading, operations }: OperationGroup, baseUrl: string): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading" data-group>
<h2 id="${id}-heading">${heading}</h2>
${operations.map((operation) => renderEntry(operation, baseUrl))}
</section>`;
}

function renderEntry(operation: Operation, baseUrl: string): Html {
  const { id, method, path, permission, summary, body, bodyBounds, query, reply } = operation;
  const named = typeof permission === "string" ? permission : permission.open;
  const parameters = query ? listFields(toJsonSchema(query, "input")) : [];
  return html`<details id="${id}" data-entry="${[id, method, path, named, summary].join(" ")}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code>
<span class="sentence">${summary}</span> <code class="permission">${named}</code></summary>
<div class="body">
<p>${renderInlineCode(describeRequirements(operation))}</p>
${parameters.length > 0 ? renderFieldTable("Query", id, parameters) : ""}
${body ? renderFieldTable("Request", id, listFields(toJsonSchema(body, "input"))) : ""}
${body ? html`<p>${describeBodyBounds(bodyBounds)}</p>` : ""}
${renderReply(id, reply)}
<h3 id="${id}-example">Example</h3>
<pre tabindex="0" role="region" aria-labelledby="${id}-example"><code>${buildExampleCurl(operation, baseUrl)}</code></pre>
</div>
</details>`;
}

function renderReply(id: string, reply: Operation["reply"]): Html | string {
  const mediaType = findMediaType(reply);
  if (mediaType !== null) return html`<h3>Reply</h3><p>${renderBodyType(mediaType)}</p>`;
  const fields = listFields(toJsonSchema(reply, "output"));
  if (fields.length > 0) return renderFieldTable("Reply", id, fields);
  return html`<h3>Reply</h3><p>An object of the provider’s own shape.</p>`;
}

function renderBodyType(mediaType: string): Html {
  if (mediaType === "*/*") return html`A body of the type that the header <code>content-type</code> names.`;
  if (mediaType === "text/event-stream") return html`Server-sent events.`;
  return html`A body of the type <code>${mediaType}</code>.`;
}

function renderFieldTable(heading: string, id: string, fields: ReturnType<typeof listFields>): Html {
  const label = `${id}-${heading.toLowerCase()}`;
  const isGiven = heading !== "Reply";
  return html`<h3 id="${label}">${heading}</h3>
<div class="scroll" tabindex="0" role="region" aria-labelledby="${label}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Note</th></tr></thead>
<tbody>${fields.map(
    ({ name, type, required, note }) => html`<tr><th scope="row"><code>${name}</code></th><td>${type}</td>
<td>${[isGiven && required ? "Required." : "", !isGiven && !required ? "Not always there." : "", note].filter(Boolean).join(" ")}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Renders words between backticks as code. */
function renderInlineCode(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
