import { respondWithText } from "../../http/response";
import type { RequestContext } from "../../http/server";
import { openApiDocument } from "./open-api";
import { type ReferencePath, referencePolicy } from "./reference-frame";
import { renderAccessPage } from "./render-access-page";
import { renderOperationsPage } from "./render-operations-page";

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
