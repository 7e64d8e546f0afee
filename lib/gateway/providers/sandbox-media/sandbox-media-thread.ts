import { lowerThreadPriority } from "../../http/background-thread";
import type { MediaOrder } from "../media-client";
import { drawPicture } from "./draw-picture";
import { encodePng } from "./encode-png";
import { encodeWav } from "./encode-wav";
import { encodeWebm } from "./encode-webm";
import { playTune } from "./play-tune";
import { seedOf } from "./seed-of";

/** Which file of an order to make. */
export interface FileQuestion {
  readonly order: MediaOrder;
  readonly position: number;
}
/** Its bytes. */
export type FileAnswer = Uint8Array<ArrayBuffer>;

/** The thread that makes the sandbox's files. */
declare const self: Worker;

lowerThreadPriority();
self.onmessage = ({ data: { order, position } }: MessageEvent<FileQuestion>) => {
  const file = make(order, position);
  self.postMessage(file, [file.buffer]);
};

function make(order: MediaOrder, position: number): FileAnswer {
  const { family, model, prompt, size, seconds, quality } = order;
  const seed = seedOf([model, prompt, quality ?? "", String(position)].join("\n"));
  const picture = size ?? { width: 1, height: 1 };
  if (family === "image") return encodePng(drawPicture(seed, picture, 0));
  if (family === "video") return encodeWebm(seed, picture, seconds ?? 1);
  return encodeWav(playTune(seed, seconds ?? 1));
}
