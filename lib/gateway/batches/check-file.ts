import { setImmediate } from "node:timers/promises";
import { isMediaFamily } from "@/lib/contract/calls/model-families";
import { type BatchEndpoint, MAX_BATCH_LINES } from "@/lib/contract/operations/tasks/batches";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { Caller } from "../access/caller";
import { type AllowedModelContext, findAllowedModel } from "../calls/call-access";
import { type DescribeContext, describeForAdmission } from "../calls/holds/admit-and-hold";
import { computeExpectedCharge } from "../calls/holds/held-call";
import { findCounting, refuseCallback, requireMessages } from "../calls/requests/prepared-request";
import type { RequestReader } from "../calls/requests/request-reader";
import type { FileStorage } from "../files/file-storage";
import type { FileRecord } from "../files/file-store.sql";
import { atBatchRate, type CatalogueModel } from "../models/catalogue";
import type { ProviderDirectory } from "../models/providers/provider-directory";
import { computeMaxCharge } from "../rate-limits/admissions";
import { invalid, notFound, Refusal } from "../refusal";
import {
  describeLineCaller,
  type FileLine,
  type LineCallerContext,
  lineKinds,
  readBatchLine,
  readLines,
  wrongLine,
} from "./lines/batch-line";

export interface CheckContext extends AllowedModelContext, DescribeContext, LineCallerContext {
  readonly storedFiles: Pick<FileStorage, "open">;
  readonly requestReader: RequestReader;
  readonly directory: Pick<ProviderDirectory, "find">;
}

export interface CheckedBatch {
  readonly caller: Caller;
  readonly projectId: string;
  readonly file: FileRecord;
  readonly endpoint: BatchEndpoint;
}

/** The totals of a file's lines. */
export interface BatchSize {
  readonly lines: number;
  readonly model: CatalogueModel;
  readonly promptTokens: number;
  /** The charges of all lines, with outputs of the expected length, and with the maximum outputs they allow. */
  readonly expectedCharge: Nano;
  readonly maxCharge: Nano;
}

/**
 * Checks that a caller may create a batch of a file, and validates every line.
 * @throws Refusal 400 naming the first invalid line, 401 or 403.
 */
export async function checkFile(context: CheckContext, batch: CheckedBatch): Promise<BatchSize> {
  const { caller, projectId, file, endpoint } = batch;
  if (file.purpose !== "batch" || file.projectId !== projectId) {
    const message = `"${file.id}" is no file of this project with the purpose "batch". Upload it as one.`;
    throw invalid("input_file_id", message);
  }
  // Lines run after this request, so check the permissions of the key itself, which may differ from a session's.
  describeLineCaller(context, { keyId: caller.keyId, projectId, endpoint });
  return checkLines(context, batch);
}

/** Maximum time of checking lines before other requests are served. */
const STRETCH_MS = 4;

/**
 * Validates every line in the same way as its later call. @throws Refusal 400 naming the first invalid line, or for a
 * file without lines.
 */
async function checkLines(context: CheckContext, batch: CheckedBatch): Promise<BatchSize> {
  const { file } = batch;
  const storedFile = await context.storedFiles.open(file.id, 0);
  if (!storedFile) throw notFound("file", file.id, "input_file_id");
  const customIds = new Set<string>();
  let model: CatalogueModel | null = null;
  let promptTokens = 0;
  let [expectedCharge, max]: [Nano, Nano] = [ZERO, ZERO];
  let sinceMs = performance.now();
  for await (const line of readLines(storedFile.read(0, storedFile.bytes), { at: 0, number: 0 })) {
    const call = await checkLine(context, batch, line);
    if (customIds.has(call.customId)) throw wrongLine(line.number, "its custom_id stands in an earlier line");
    customIds.add(call.customId);
    if (customIds.size > MAX_BATCH_LINES) throw tooManyLines();
    model ??= call.model;
    if (model.id !== call.model.id) {
      throw wrongLine(line.number, `its model is not ${model.id}, and a batch has one model`);
    }
    promptTokens += call.promptTokens;
    expectedCharge = toNano(expectedCharge + call.expectedCharge);
    max = toNano(max + call.maxCharge);
    if (performance.now() - sinceMs > STRETCH_MS) {
      await setImmediate();
      sinceMs = performance.now();
    }
  }
  if (model === null)
    throw invalid("input_file_id", "The file has no lines. Write one call a line.", "invalid_batch_line");
  return { lines: customIds.size, model, promptTokens, expectedCharge, maxCharge: max };
}

async function checkLine(
  context: CheckContext,
  { caller, projectId, endpoint }: CheckedBatch,
  line: FileLine,
): Promise<Omit<BatchSize, "lines"> & { readonly customId: string }> {
  const { customId, body } = readBatchLine(line, endpoint);
  const { kind, operation } = lineKinds[endpoint];
  try {
    const options = { kind, wantsHash: false };
    const request = await context.requestReader.read([Buffer.from(body)], options, operation.bodyBounds);
    try {
      const { fields } = request;
      const model = findAllowedModel(context, projectId, fields.model, caller.scope, request.endpoint);
      if (isMediaFamily(model.family))
        throw invalid("model", `"${model.id}" makes files, which no batch takes: call it instead.`);
      const completion = requireMessages(request);
      refuseCallback(fields);
      const estimate = await completion.estimate(findCounting(context, model, projectId));
      const call = { caller, request: completion, projectId };
      const admissionRequest = describeForAdmission(context, call, atBatchRate(model), estimate);
      const { promptTokens, maxOutputTokens } = admissionRequest;
      return {
        customId,
        model,
        promptTokens,
        expectedCharge: computeExpectedCharge(admissionRequest),
        maxCharge: computeMaxCharge(admissionRequest, maxOutputTokens),
      };
    } finally {
      request.release();
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    throw wrongLine(line.number, `body is refused: ${error.message}`);
  }
}

function tooManyLines(): Refusal {
  const message = `A batch has at most ${MAX_BATCH_LINES.toLocaleString("en")} lines. Split the file.`;
  return invalid("input_file_id", message, "invalid_batch_line");
}
