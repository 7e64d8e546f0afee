import * as z from "zod/mini";
import { configurationFile } from "../../configuration/configuration";
import { respondWithText } from "../../http/response";

let schema: string | undefined;

/** The JSON Schema of the configuration file, by which editors complete and check it. */
export async function answerFileSchema(): Promise<Response> {
  schema ??= JSON.stringify({
    title: "Gatehouse configuration",
    ...z.toJSONSchema(configurationFile, { io: "input", unrepresentable: "any" }),
  });
  return respondWithText(schema, {
    headers: { "content-type": "application/schema+json", "access-control-allow-origin": "*" },
  });
}
