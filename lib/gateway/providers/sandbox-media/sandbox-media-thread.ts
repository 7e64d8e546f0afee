import { lowerThreadPriority } from "../../http/worker-client";
import type { MediaOrder } from "../media-client";
import { hashSeed } from "./create-picture-random";
import { drawPicture } from "./draw-picture";
import { editPicture } from "./edit-picture";
import { encodeWav } from "./encode-wav";
import { playTune } from "./play-tune";
import { decodePng, encodePng, PictureFault } from "./png";

/** A picture to edit, or the mask. */
export interface InputBytes {
  readonly name: "image" | "mask";
  readonly bytes: Uint8Array;
}

/** Which file of an order to make. */
export interface FileQuestion {
  readonly order: Omit<MediaOrder, "inputs">;
  readonly position: number;
  /** The pictures to edit; absent for other orders. */
  readonly inputs?: readonly InputBytes[];
}
/** The file's bytes, or why its pictures can't be edited. */
export type FileAnswer = Uint8Array<ArrayBuffer> | { readonly fault: string };

/** The thread that makes the sandbox's files. */
declare const self: Worker;

lowerThreadPriority();
self.onmessage = ({ data }: MessageEvent<FileQuestion>) => {
  const answer = answerQuestion(data);
  self.postMessage(answer, "fault" in answer ? [] : [answer.buffer]);
};

function answerQuestion(question: FileQuestion): FileAnswer {
  try {
    return make(question);
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    return { fault: error.message };
  }
}

function make({ order, position, inputs }: FileQuestion): Uint8Array<ArrayBuffer> {
  const { family, model, prompt, size, seconds, quality } = order;
  const seed = hashSeed([model, prompt, quality ?? "", String(position)].join("\n"));
  const picture = size ?? { width: 1, height: 1 };
  if (inputs) return encodePng(edit(seed, picture, inputs));
  if (family === "image") return encodePng(drawPicture(seed, picture));
  return encodeWav(playTune(seed, seconds ?? 1));
}

function edit(
  seed: number,
  size: { readonly width: number; readonly height: number },
  inputs: readonly InputBytes[],
) {
  const inputPictures = inputs.map(({ name, bytes }) => ({ name, bitmap: decodePng(bytes) }));
  const pictures = inputPictures.filter(({ name }) => name === "image").map(({ bitmap }) => bitmap);
  return editPicture(seed, size, pictures, inputPictures.find(({ name }) => name === "mask")?.bitmap ?? null);
}
