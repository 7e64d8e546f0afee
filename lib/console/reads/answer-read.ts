import "server-only";
import { createProblem, foreignRead, privateHeaders, respondWithProblem } from "../gateway/problem";
import { reportUnexpected } from "../gateway/report-unexpected";
import { isOwnRead, readRequestOrigin } from "../origin";
import { findReadId } from "./find-read-id";
import { EVENTS, followGateway } from "./follow-gateway";
import { exportFromGateway, readGateway } from "./read-gateway";
import { type ExportForm, exportTypes, type ReadId, type ReadParameters, readNouns } from "./reads";

/**
 * Answers a read by its noun with `{data}`, or with `{problem}` and a matching status. `export=csv` and `export=ndjson`
 * download the whole list, and a browser that accepts only server-sent events gets those. Never cached, and never for
 * other sites.
 */
export async function answerRead(noun: string, request: Request): Promise<Response> {
  if (!isOwnRead(readRequestOrigin(request.headers))) {
    return respondWithProblem(foreignRead);
  }
  const id = findReadId(noun);
  if (!id)
    return respondWithProblem(createProblem("not_found", `This console has no read of the name ${noun}.`));
  try {
    const { export: form, ...parameters } = Object.fromEntries(new URL(request.url).searchParams);
    if (form === "csv" || form === "ndjson") return await download(id, form, parameters, request.signal);
    if (request.headers.get("accept") === EVENTS) return await follow(id, parameters, request.signal);
    const reply = await readGateway(id, parameters);
    return reply.ok
      ? Response.json({ data: reply.data }, { headers: privateHeaders })
      : respondWithProblem(reply.problem);
  } catch (error) {
    return respondWithProblem(reportUnexpected(error));
  }
}

async function follow(id: ReadId, parameters: ReadParameters, signal: AbortSignal): Promise<Response> {
  const reply = await followGateway(id, parameters, signal);
  if (!reply.ok) return respondWithProblem(reply.problem);
  // Proxies must not buffer events.
  const headers = { ...privateHeaders, "content-type": EVENTS, "x-accel-buffering": "no" };
  return new Response(reply.data, { headers });
}

async function download(
  id: ReadId,
  form: ExportForm,
  parameters: ReadParameters,
  signal: AbortSignal,
): Promise<Response> {
  const reply = await exportFromGateway(id, form, parameters, signal);
  if (!reply.ok) return respondWithProblem(reply.problem);
  const { body, head } = reply.data;
  // The file's name includes the head of the hash chain, so that the file can be verified later.
  const name = [readNouns[id], ...(head?.split(":") ?? [])].join("-");
  const headers = {
    ...privateHeaders,
    "content-type": `${exportTypes[form]}; charset=utf-8`,
    "content-disposition": `attachment; filename="${name}.${form}"`,
  };
  return new Response(body, { headers });
}
